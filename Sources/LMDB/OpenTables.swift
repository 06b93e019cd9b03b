internal import CLMDB
internal import Glibc

/// The tables of an environment that are open, by name.
///
/// LMDB gives two tables one handle when a transaction opens a table while another of the same process is at work that
/// does so too, or that began before. So tables are opened by the writer, or when no transaction is alive.
final class OpenTables: Sendable {
    private let state = Guarded(State())

    private struct State {
        var open: [String: UInt32] = [:]
        /// Opened in the write transaction that is going on: they count when it commits.
        var pending: [String: UInt32] = [:]
        /// What a reader has asked for that another process has made.
        var wanted: Set<String> = []
        var main: UInt32 = 0
    }

    /// A table that this snapshot has, or nil.
    func find(_ name: String, in transaction: OpaquePointer, isWriting: Bool) throws(LMDBError) -> UInt32? {
        guard try unsafe exists(name, in: transaction) else { return nil }
        if let identifier = unsafe known(name, in: transaction, isWriting: isWriting) { return identifier }
        guard isWriting else {
            state.withLock { _ = $0.wanted.insert(name) }
            throw LMDBError(.tableNotOpen, during: "open a table")
        }
        return try unsafe open(name, in: transaction, flags: 0)
    }

    /// A table that is made if there is none; for the writer.
    func make(_ name: String, in transaction: OpaquePointer) throws(LMDBError) -> UInt32 {
        let identifier = unsafe known(name, in: transaction, isWriting: true)
        if try unsafe exists(name, in: transaction) {
            if let identifier { return identifier }
        } else if let identifier {
            // Another process has removed it: LMDB makes it anew only under a handle that is new too.
            unsafe mdb_dbi_close(mdb_txn_env(transaction), identifier)
            forget(identifier)
        }
        return try unsafe open(name, in: transaction, flags: UInt32(MDB_CREATE))
    }

    /// A handle that is closed for good, and may come again for another table.
    func forget(_ identifier: UInt32) {
        state.withLock { state in
            state.open = state.open.filter { $0.value != identifier }
            state.pending = state.pending.filter { $0.value != identifier }
        }
    }

    /// What the write transaction that is going on has opened, to be added when it is committed.
    func takePending() -> [String: UInt32] {
        state.withLock { state in
            defer { state.pending = [:] }
            return state.pending
        }
    }

    func add(_ opened: [String: UInt32]) {
        state.withLock { $0.open.merge(opened) { _, new in new } }
    }

    /// Opens what readers asked for.
    ///
    /// No other transaction may be alive.
    func openWanted(_ environment: OpaquePointer) throws(LMDBError) {
        let names = state.withLock { state in
            defer { state.wanted = [] }
            return state.wanted
        }
        try unsafe openAll(environment) { _ in Array(names) }
    }

    /// Opens all tables that there are, as far as there is room.
    ///
    /// No other transaction may be alive.
    func openAll(_ environment: OpaquePointer) throws(LMDBError) {
        try unsafe openAll(environment) { transaction throws(LMDBError) in try unsafe names(in: transaction) }
    }

    /// Opens the tables of an environment that was opened again, under the handles that they had.
    ///
    /// No other transaction may be alive.
    func openAgain(_ environment: OpaquePointer) throws(LMDBError) {
        let before = state.withLock { $0.open }
        // LMDB numbers them as they come.
        try unsafe openAll(environment) { _ in before.sorted { $0.value < $1.value }.map(\.key) }
        // A table that was removed meanwhile has moved those behind it: what the callers hold would mean others.
        guard state.withLock({ $0.open }) == before else { throw LMDBError(.halted, during: "open the tables") }
    }

    private func openAll(
        _ environment: OpaquePointer,
        _ names: (OpaquePointer) throws(LMDBError) -> [String]
    ) throws(LMDBError) {
        var transaction: OpaquePointer?
        try check(unsafe mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &transaction), "open the tables")
        guard let transaction = unsafe transaction else { throw LMDBError(.other(ENOMEM), during: "open the tables") }
        // Committed rather than aborted, because that keeps the tables open which were opened in it.
        defer {
            unsafe mdb_txn_commit(transaction)
            add(takePending())
        }
        var main: UInt32 = 0
        try check(unsafe mdb_dbi_open(transaction, nil, 0, &main), "open the tables")
        state.withLock { $0.main = main }
        for name in try unsafe names(transaction) {
            do throws(LMDBError) {
                _ = try unsafe open(name, in: transaction, flags: 0)
            } catch {
                if error.code == .tablesFull { return }
                // A row of the unnamed table that is no table, or one that was removed in the meantime.
                if error.code == .notFound || error.code == .other(MDB_INCOMPATIBLE) { continue }
                throw error
            }
        }
    }

    private func names(in transaction: OpaquePointer) throws(LMDBError) -> [String] {
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

    private func exists(_ name: String, in transaction: OpaquePointer) throws(LMDBError) -> Bool {
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

    /// A handle that is good in this transaction: not one that was opened after it began.
    private func known(_ name: String, in transaction: OpaquePointer, isWriting: Bool) -> UInt32? {
        let identifier = state.withLock { state in
            (isWriting ? state.pending[name] : nil) ?? state.open[name]
        }
        var flags: UInt32 = 0
        guard let identifier, unsafe mdb_dbi_flags(transaction, identifier, &flags) == MDB_SUCCESS else { return nil }
        return identifier
    }

    private func open(_ name: String, in transaction: OpaquePointer, flags: UInt32) throws(LMDBError) -> UInt32 {
        var identifier: UInt32 = 0
        try check(unsafe mdb_dbi_open(transaction, name, flags, &identifier), "open a table")
        state.withLock { $0.pending[name] = identifier }
        return identifier
    }
}
