internal import CLMDB

/// The cursors that a write transaction keeps at the ends of the tables that it appends to.
///
/// LMDB looks for the end from the root with every row that it is given without one. It frees them with the transaction.
@safe final class EndCursors {
    private var open: [(table: UInt32, handle: OpaquePointer)] = []

    func cursor(in table: Table, of transaction: OpaquePointer) throws(LMDBError) -> OpaquePointer {
        for known in unsafe open where unsafe known.table == table.identifier { return unsafe known.handle }
        var handle: OpaquePointer?
        try check(unsafe mdb_cursor_open(transaction, table.identifier, &handle), "open a cursor")
        guard let handle = unsafe handle else { throw LMDBError(.corrupted, during: "open a cursor") }
        unsafe open.append((table.identifier, handle))
        return unsafe handle
    }
}
