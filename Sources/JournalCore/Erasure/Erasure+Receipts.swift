internal import EventLog
package import FoundationEssentials
internal import HealthModel

/// The receipt that a person gets for the erasure of a record.
package struct Receipt: Hashable, Sendable {
    /// The position of the event of the erasure.
    package let position: UInt64
    /// A signed note; see `ErasureReceipt`.
    package let text: String

    package init(position: UInt64, text: String) {
        self.position = position
        self.text = text
    }
}

extension Journal.Erasure {
    /// Returns the receipt of a record's erasure as of now, for callers who may know of the erasure.
    package func receipt(of record: UUID, _ caller: Caller) async throws(JournalError) -> Receipt {
        try settleErasures()
        return try await journal.retrying {
            guard let tombstone = try tombstone(of: record) else {
                _ = try await journal.access.admit(caller, to: .erase, on: record)
                throw JournalError(.conflict, "the record is not erased: there is no receipt")
            }
            guard try mayKnowOfErasure(caller, of: tombstone), let stamp = tombstone.stamp else {
                throw try await answer(caller, asking: .erase, of: tombstone)
            }
            let text = try journal.log.receipt(
                ofErasing: record,
                at: stamp.position,
                on: stamp.recordedAt.description,
                backups: try backups(
                    stillHolding: journal.log.events(of: record, limit: 1).first?.position ?? 0,
                    erasedAt: stamp.position
                )
            )
            return Receipt(position: stamp.position, text: text)
        }
    }

    /// Returns the backups that were made after an event was appended, and not updated since it was erased.
    func backups(stillHolding begun: UInt64, erasedAt position: UInt64) throws -> [ErasureReceipt.Backup] {
        // A backup copies the keys after the events: it may hold a record that was created before the backup was
        // finished, whatever its head.
        try journal.backups().filter { $0.head == 0 || $0.position >= begun && $0.head < position }
            .map { ErasureReceipt.Backup(madeAt: $0.at.description, head: $0.head, place: $0.place) }
    }
}
