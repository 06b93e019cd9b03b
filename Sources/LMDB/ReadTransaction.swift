internal import CLMDB
package import Platform

/// A snapshot of an environment, valid inside one closure.
///
/// Values that it lends cannot outlive it.
@safe package struct ReadTransaction: ~Copyable {
    let handle: OpaquePointer
    let tables: OpenTables
    fileprivate let isWriting: Bool

    init(handle: OpaquePointer, tables: OpenTables, isWriting: Bool) {
        unsafe self.handle = handle
        self.tables = tables
        self.isWriting = isWriting
    }

    /// Returns a table, or nil if it does not exist.
    package func table(_ name: String) throws(StorageError) -> Table? {
        try unsafe tables.find(name, in: handle, isWriting: isWriting).map { Table(identifier: $0) }
    }

    /// Returns the bytes stored under a key, without a copy; valid as long as the transaction.
    @_lifetime(borrow self)
    package func get(_ key: Key, in table: Table) throws(StorageError) -> RawSpan? {
        var value = unsafe MDB_val()
        let status = unsafe key.bytes.withUnsafeBytes { bytes in
            var name = unsafe MDB_val(bytes)
            return unsafe mdb_get(handle, table.identifier, &name, &value)
        }
        if status == MDB_NOTFOUND { return nil }
        try check(status, "read")
        return unsafe _overrideLifetime(value.span, borrowing: self)
    }

    /// Returns a cursor that has no position yet.
    @_lifetime(borrow self)
    package func cursor(in table: Table) throws(StorageError) -> Cursor {
        try Cursor(transaction: self, table: table)
    }

    /// How many rows a table holds.
    package func count(of table: Table) throws(StorageError) -> Int {
        var statistics = MDB_stat()
        try check(unsafe mdb_stat(handle, table.identifier, &statistics), "count")
        return Int(statistics.ms_entries)
    }
}

/// A transaction that is stored in another value, which cannot outlive it.
package struct LentTransaction: ~Copyable, ~Escapable {
    package let transaction: ReadTransaction

    @_lifetime(borrow original)
    fileprivate init(_ original: borrowing ReadTransaction) {
        transaction = unsafe ReadTransaction(
            handle: original.handle,
            tables: original.tables,
            isWriting: original.isWriting
        )
    }
}

extension ReadTransaction {
    /// The same transaction, to be stored in a value that lives no longer.
    package var lent: LentTransaction {
        @_lifetime(borrow self)
        get { LentTransaction(self) }
    }
}

extension MDB_val {
    /// C takes the bytes of a key through a mutable pointer but does not change them.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    var span: RawSpan {
        @_lifetime(borrow self)
        get {
            let span = unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size).bytes
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }
}
