internal import EventLog
package import FoundationEssentials
internal import HealthModel

/// What a person is given when a record was erased.
package struct Receipt: Hashable, Sendable {
    /// Where the log says so.
    package let position: UInt64
    /// A signed note; see `ErasureReceipt`.
    package let text: String

    package init(position: UInt64, text: String) {
        self.position = position
        self.text = text
    }
}

extension Journal {
    /// The receipt of a record's erasure, as things stand now: for those who may know of it.
    package func receipt(of record: UUID, _ caller: Caller) async throws(JournalError) -> Receipt {
        try settleErasures()
        return try await retrying {
            guard let tombstone = try tombstone(of: record) else {
                _ = try await admit(caller, to: .erase, on: record)
                throw JournalError(.conflict, "the record is not erased: there is no receipt")
            }
            guard try mayKnow(caller, of: tombstone), let stamp = tombstone.stamp else {
                throw try await answer(caller, asking: .erase, of: tombstone)
            }
            let text = try log.receipt(
                ofErasing: record,
                at: stamp.position,
                on: stamp.recordedAt.description,
                backups: try backups(stillHolding: record, erasedAt: stamp.position)
            )
            return Receipt(position: stamp.position, text: text)
        }
    }

    /// The backups that were made while the record was there, and not brought up to date since it was erased.
    private func backups(stillHolding record: UUID, erasedAt position: UInt64) throws -> [ErasureReceipt.Backup] {
        let begun = try log.events(of: record, limit: 1).first?.position ?? 0
        // Keys are copied behind events: what began before the backup was done may be in it, whatever its head.
        return try backups().filter { $0.head == 0 || $0.position >= begun && $0.head < position }
            .map { ErasureReceipt.Backup(madeAt: $0.at.description, head: $0.head, place: $0.place) }
    }
}
