internal import CLMDB
internal import Glibc
internal import Platform

/// The open tables of an environment, by name.
///
/// LMDB gives two tables the same handle when a transaction opens a table while another transaction of the process also
/// opens one, or began earlier. Therefore only the writer opens tables, or they are opened while no other transaction
/// is open.
final class OpenTables: Sendable {
    private let state = Guarded(State())

    private struct State {
        var open: [String: UInt32] = [:]
        /// Opened in the current write transaction; added to `open` when it commits.
        var pending: [String: UInt32] = [:]
        /// Tables that another process has created and that a reader has asked for.
        var wanted: Set<String> = []
        var main: UInt32 = 0
    }

    /// Returns the handle of a table; nil if this snapshot does not have the table.
    func find(_ name: String, in transaction: OpaquePointer, isWriting: Bool) throws(StorageError) -> UInt32? {
        guard try unsafe exists(name, in: transaction) else { return nil }
        if let identifier = unsafe known(name, in: transaction, isWriting: isWriting) { return identifier }
        guard isWriting else {
            state.withLock { _ = $0.wanted.insert(name) }
            throw StorageError(.tableNotOpen, during: "open a table")
        }
        return try unsafe open(name, in: transaction, flags: 0)
    }

    /// Returns the handle of a table, creating the table if it does not exist; for the writer only.
    func make(_ name: String, in transaction: OpaquePointer) throws(StorageError) -> UInt32 {
        let identifier = unsafe known(name, in: transaction, isWriting: true)
        if try unsafe exists(name, in: transaction) {
            if let identifier { return identifier }
        } else if let identifier {
            // Another process has removed the table: LMDB creates it again only under a new handle.
            unsafe mdb_dbi_close(mdb_txn_env(transaction), identifier)
            forget(identifier)
        }
        return try unsafe open(name, in: transaction, flags: UInt32(MDB_CREATE))
    }

    /// Removes a handle that is closed for good; LMDB may reuse its number for another table.
    func forget(_ identifier: UInt32) {
        state.withLock { state in
            state.open = state.open.filter { $0.value != identifier }
            state.pending = state.pending.filter { $0.value != identifier }
        }
    }

    /// Removes and returns the handles that the current write transaction has opened, to be added when it commits.
    func takePending() -> [String: UInt32] {
        state.withLock { state in
            defer { state.pending = [:] }
            return state.pending
        }
    }

    func add(_ opened: [String: UInt32]) {
        state.withLock { $0.open.merge(opened) { _, new in new } }
    }

    /// Opens the tables that readers asked for.
    ///
    /// No other transaction may be open.
    func openWanted(_ environment: OpaquePointer) throws(StorageError) {
        let names = state.withLock { state in
            defer { state.wanted = [] }
            return state.wanted
        }
        try unsafe openAll(environment) { _ in Array(names) }
    }

    /// Opens all existing tables, up to the maximum number of tables.
    ///
    /// No other transaction may be open.
    func openAll(_ environment: OpaquePointer) throws(StorageError) {
        try unsafe openAll(environment) { transaction throws(StorageError) in try unsafe names(in: transaction) }
    }

    /// Opens the tables of a reopened environment under the handles that they had before.
    ///
    /// No other transaction may be open.
    func openAgain(_ environment: OpaquePointer) throws(StorageError) {
        let before = state.withLock { $0.open }
        // LMDB numbers tables in the order in which they are opened.
        try unsafe openAll(environment) { _ in before.sorted { $0.value < $1.value }.map(\.key) }
        // A table that was removed meanwhile shifts the later ones: the handles that callers hold would mean other
        // tables.
        guard state.withLock({ $0.open }) == before else { throw StorageError(.halted, during: "open the tables") }
    }

    private func openAll(
        _ environment: OpaquePointer,
        _ names: (OpaquePointer) throws(StorageError) -> [String]
    ) throws(StorageError) {
        var transaction: OpaquePointer?
        try check(unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction), "open the tables")
        guard let transaction = unsafe transaction else {
            throw StorageError(.other(ENOMEM), during: "open the tables")
        }
        // Committed rather than aborted, because an abort would close the tables that were opened in it.
        defer {
            unsafe mdb_txn_commit(transaction)
            add(takePending())
        }
        var main: UInt32 = 0
        try check(unsafe mdb_dbi_open(transaction, nil, 0, &main), "open the tables")
        state.withLock { $0.main = main }
        for name in try unsafe names(transaction) {
            do throws(StorageError) {
                _ = try unsafe open(name, in: transaction, flags: 0)
            } catch {
                if error.code == .tablesFull { return }
                // A row of the unnamed table that is not a table, or a table that was removed in the meantime.
                if error.code == .notFound || error.code == StorageError.Code(status: MDB_INCOMPATIBLE) { continue }
                throw error
            }
        }
    }

    private func names(in transaction: OpaquePointer) throws(StorageError) -> [String] {
        var cursor: OpaquePointer?
        try check(unsafe mdb_cursor_open(transaction, state.withLock { $0.main }, &cursor), "open the tables")
        defer { unsafe mdb_cursor_close(cursor) }
        var names: [String] = []
        var (key, value) = unsafe (MDB_val(), MDB_val())
        while case let status = unsafe mdb_cursor_get(cursor, &key, &value, MDB_NEXT), status != MDB_NOTFOUND {
            try check(status, "open the tables")
            names.append(unsafe String(decoding: key.span.copy, as: UTF8.self))
        }
        return names
    }

    private func exists(_ name: String, in transaction: OpaquePointer) throws(StorageError) -> Bool {
        let main = state.withLock { $0.main }
        var value = unsafe MDB_val()
        var name = name
        let status = name.withUTF8 { bytes in
            var key = unsafe MDB_val(UnsafeRawBufferPointer(bytes))
            return unsafe mdb_get(transaction, main, &key, &value)
        }
        if status == MDB_NOTFOUND { return false }
        try check(status, "open a table")
        return true
    }

    /// Returns a handle that is valid in this transaction: not one that was opened after the transaction began.
    private func known(_ name: String, in transaction: OpaquePointer, isWriting: Bool) -> UInt32? {
        let identifier = state.withLock { state in
            (isWriting ? state.pending[name] : nil) ?? state.open[name]
        }
        var flags: UInt32 = 0
        guard let identifier, unsafe mdb_dbi_flags(transaction, identifier, &flags) == MDB_SUCCESS else { return nil }
        return identifier
    }

    private func open(_ name: String, in transaction: OpaquePointer, flags: UInt32) throws(StorageError) -> UInt32 {
        var identifier: UInt32 = 0
        try check(unsafe mdb_dbi_open(transaction, name, flags, &identifier), "open a table")
        state.withLock { $0.pending[name] = identifier }
        return identifier
    }
}

/// A named table of an environment: rows of bytes in the order of their keys.
package struct Table: Hashable, Sendable {
    let identifier: UInt32
}
