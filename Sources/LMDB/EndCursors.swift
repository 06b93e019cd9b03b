internal import CLMDB
internal import Platform

/// The cursors of a write transaction for appending, one at the end of each table that it appends to.
///
/// Without such a cursor, LMDB searches for the end of the table from the root for each row. LMDB frees the cursors
/// with the transaction.
final class EndCursors {
    @safe private struct Open {
        let table: Table
        let handle: OpaquePointer
    }

    private var open: [Open] = []

    func cursor(in table: Table, of transaction: OpaquePointer) throws(StorageError) -> OpaquePointer {
        if let known = open.first(where: { $0.table.identifier == table.identifier }) { return unsafe known.handle }
        var handle: OpaquePointer?
        try check(unsafe mdb_cursor_open(transaction, table.identifier, &handle), "open a cursor")
        guard let handle = unsafe handle else { throw StorageError(.corrupted, during: "open a cursor") }
        open.append(unsafe Open(table: table, handle: handle))
        return unsafe handle
    }
}
