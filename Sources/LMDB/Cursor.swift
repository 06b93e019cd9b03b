internal import CLMDB
package import Platform

/// A position in a table, moved row by row; valid as long as its transaction.
@safe package struct Cursor: ~Copyable, ~Escapable {
    /// A row, read in place without a copy.
    package struct Row: ~Escapable {
        package let key: RawSpan
        package let value: RawSpan

        @_lifetime(copy key, copy value)
        init(key: RawSpan, value: RawSpan) {
            self.key = key
            self.value = value
        }
    }

    private let handle: OpaquePointer

    @_lifetime(borrow transaction)
    init(transaction: borrowing ReadTransaction, table: Table) throws(StorageError) {
        var handle: OpaquePointer?
        try check(unsafe mdb_cursor_open(transaction.handle, table.identifier, &handle), "open a cursor")
        guard let handle = unsafe handle else { throw StorageError(.corrupted, during: "open a cursor") }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe mdb_cursor_close(handle)
    }

    /// Moves to the first row whose key is greater than or equal to `key`.
    @_lifetime(borrow self)
    package func seek(_ key: Key) throws(StorageError) -> Row? {
        let key = key
        var name = unsafe MDB_val()
        var value = unsafe MDB_val()
        // LMDB changes `name` to point at the key of the row that it found, so no pointer to `key` outlives the call.
        let status = unsafe key.bytes.withUnsafeBytes { bytes in
            unsafe name = unsafe MDB_val(bytes)
            return unsafe mdb_cursor_get(handle, &name, &value, MDB_SET_RANGE)
        }
        return try unsafe row(status, name, value)
    }

    @_lifetime(borrow self)
    package func first() throws(StorageError) -> Row? { try move(MDB_FIRST) }

    @_lifetime(borrow self)
    package func last() throws(StorageError) -> Row? { try move(MDB_LAST) }

    @_lifetime(borrow self)
    package func next() throws(StorageError) -> Row? { try move(MDB_NEXT) }

    @_lifetime(borrow self)
    package func previous() throws(StorageError) -> Row? { try move(MDB_PREV) }

    /// Moves to the last row whose key is less than or equal to `key`.
    @_lifetime(borrow self)
    package func seekBack(_ key: Key) throws(StorageError) -> Row? {
        guard let found = try seek(key) else { return try last() }
        if found.key.count == key.count, found.key.isEqual(to: key.bytes) { return found }
        return try previous()
    }

    @_lifetime(borrow self)
    private func move(_ operation: MDB_cursor_op) throws(StorageError) -> Row? {
        var name = unsafe MDB_val()
        var value = unsafe MDB_val()
        let status = unsafe mdb_cursor_get(handle, &name, &value, operation)
        return try unsafe row(status, name, value)
    }

    @_lifetime(borrow self)
    private func row(_ status: Int32, _ key: MDB_val, _ value: MDB_val) throws(StorageError) -> Row? {
        if status == MDB_NOTFOUND { return nil }
        try check(status, "move a cursor")
        let row = unsafe Row(key: key.span, value: value.span)
        return unsafe _overrideLifetime(row, borrowing: self)
    }
}
