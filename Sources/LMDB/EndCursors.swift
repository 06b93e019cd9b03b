internal import CLMDB

/// The cursors that a write transaction keeps at the ends of the tables that it appends to.
///
/// LMDB looks for the end from the root with every row that it is given without one. It frees them with the transaction.
final class EndCursors {
    @safe private struct Open {
        let table: Table
        let handle: OpaquePointer
    }

    private var open: [Open] = []

    func cursor(in table: Table, of transaction: OpaquePointer) throws(LMDBError) -> OpaquePointer {
        if let known = open.first(where: { $0.table.identifier == table.identifier }) { return unsafe known.handle }
        var handle: OpaquePointer?
        try check(unsafe mdb_cursor_open(transaction, table.identifier, &handle), "open a cursor")
        guard let handle = unsafe handle else { throw LMDBError(.corrupted, during: "open a cursor") }
        open.append(unsafe Open(table: table, handle: handle))
        return unsafe handle
    }
}
