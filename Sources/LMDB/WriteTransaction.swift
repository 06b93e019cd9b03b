internal import CLMDB
package import Platform

/// The one write transaction of an environment, alive inside one closure on one thread.
package struct WriteTransaction: ~Copyable {
    /// The same transaction for code that only reads: it sees the writes so far.
    package let reading: ReadTransaction
    private let ends = EndCursors()

    init(handle: OpaquePointer, tables: OpenTables) {
        unsafe reading = ReadTransaction(handle: handle, tables: tables, isWriting: true)
    }

    /// Opens a table, creating it if it does not exist.
    package func makeTable(_ name: String) throws(StorageError) -> Table {
        Table(identifier: try unsafe reading.tables.make(name, in: reading.handle))
    }

    /// Appends a row after all others of its table.
    ///
    /// Refuses a key that is not the greatest.
    package func append(_ key: Key, _ value: RawSpan, to table: Table) throws(StorageError) {
        try append(key, byteCount: value.byteCount, to: table) { $0.take(value) }
    }

    /// Appends a row after all others of its table, and lets `body` write the value in place.
    package func append<Result>(
        _ key: Key,
        byteCount: Int,
        to table: Table,
        writing body: (inout MutableRawSpan) -> Result
    ) throws(StorageError) -> Result {
        let cursor = try unsafe ends.cursor(in: table, of: reading.handle)
        var room = unsafe MDB_val(mv_size: byteCount, mv_data: nil)
        let status = unsafe key.bytes.withUnsafeBytes { keyBytes in
            var name = unsafe MDB_val(keyBytes)
            return unsafe mdb_cursor_put(cursor, &name, &room, UInt32(MDB_APPEND | MDB_RESERVE))
        }
        try unsafe checkWritten(status, mdb_txn_env(reading.handle), "write")
        let bytes = unsafe UnsafeMutableRawBufferPointer(start: room.mv_data, count: room.mv_size)
        var span = unsafe bytes.mutableBytes
        return body(&span)
    }

    /// Stores a row, replacing an older one with the same key.
    package func put(_ key: Key, _ value: RawSpan, in table: Table) throws(StorageError) {
        try put(key, value, in: table, flags: 0)
    }

    /// Stores a row whose value is short enough for a `Key` and needs no memory of its own.
    package func put(_ key: Key, _ value: Key, in table: Table) throws(StorageError) {
        try put(key, value.bytes, in: table, flags: 0)
    }

    /// Stores a row, or throws `keyExists`.
    package func insert(_ key: Key, _ value: RawSpan, in table: Table) throws(StorageError) {
        try put(key, value, in: table, flags: UInt32(MDB_NOOVERWRITE))
    }

    /// Removes a row, and returns whether it existed.
    @discardableResult
    package func delete(_ key: Key, in table: Table) throws(StorageError) -> Bool {
        let status = unsafe key.bytes.withUnsafeBytes { bytes in
            var name = unsafe MDB_val(bytes)
            return unsafe mdb_del(reading.handle, table.identifier, &name, nil)
        }
        if status == MDB_NOTFOUND { return false }
        try check(status, "delete")
        return true
    }

    /// Removes all rows of a table, and the table itself if `forGood`.
    package func drop(_ table: Table, forGood: Bool) throws(StorageError) {
        try check(unsafe mdb_drop(reading.handle, table.identifier, forGood ? 1 : 0), "drop a table")
        // LMDB closes the handle at once, even if the transaction is aborted.
        if forGood { reading.tables.forget(table.identifier) }
    }

    private func put(_ key: Key, _ value: RawSpan, in table: Table, flags: UInt32) throws(StorageError) {
        let status = unsafe key.bytes.withUnsafeBytes { keyBytes in
            unsafe value.withUnsafeBytes { valueBytes in
                var name = unsafe MDB_val(keyBytes)
                var content = unsafe MDB_val(valueBytes)
                return unsafe mdb_put(reading.handle, table.identifier, &name, &content, flags)
            }
        }
        try unsafe checkWritten(status, mdb_txn_env(reading.handle), "write")
    }
}
