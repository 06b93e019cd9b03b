package import FoundationEssentials

extension EventLog {
    /// Creates the signed receipt of the erasure of a record, or of one of its entries, for the person concerned.
    ///
    /// It contains a fresh checkpoint that covers the erasure. `position` is that of the event that records the erasure.
    /// The times are in RFC 3339 format.
    package func receipt(
        ofErasing record: UUID,
        entry: UUID? = nil,
        at position: UInt64,
        on erasedAt: String,
        copies: [ErasureReceipt.Copy] = [],
        backups: [ErasureReceipt.Backup]
    ) throws(EventLogError) -> String {
        let event = try event(at: position)
        guard EventLog.erasure(by: event.header) == (entry.map { EntryKeys.slot(of: $0, in: record) } ?? record) else {
            throw EventLogError(.notFound, "the event at position \(position) did not erase this record or entry")
        }
        let checkpoint = try checkpoint()
        let receipt = ErasureReceipt(
            journal: description.id,
            record: record,
            entry: entry,
            erasedAt: erasedAt,
            position: position,
            copies: copies,
            backups: backups,
            proof: InclusionProof(
                index: position - 1,
                leaf: MerkleHash.leaf(event.bytes),
                path: try inclusionProof(of: position, in: checkpoint.checkpoint.size),
                checkpoint: checkpoint
            )
        )
        do {
            return try receipt.note(signedBy: keys.signer(of: description.id))
        } catch {
            throw EventLogError(error, "the receipt could not be signed")
        }
    }
}
