package import FoundationEssentials

/// A record as it is known at some position of the log: what `evolve` folds and what the views answer.
package struct RecordState: Hashable, Sendable {
    package var id: UUID
    package var profile: RecordProfile
    package var owners: [UUID]
    package var created: Stamp
    /// The last event that changed the record or any of its entries.
    package var updated: Stamp
    package var closed: Stamp?
    /// All entries in the order they were added, the retracted ones among them.
    package var entries: [EntryState] = []

    package init(id: UUID, profile: RecordProfile, owners: [UUID], created: Stamp) {
        self.id = id
        self.profile = profile
        self.owners = owners
        self.created = created
        self.updated = created
    }
}
