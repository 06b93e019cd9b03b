package import FoundationEssentials

/// A record as it is known at some position of the log: what `evolve` folds and what the views answer.
package struct RecordState: Sendable {
    package var id: UUID
    package var profile: RecordProfile
    package var owners: [UUID]
    package var created: Stamp
    /// The last event that changed the record or any of its entries.
    package var updated: Stamp
    package var closed: Stamp?
    package var hold: Hold?
    /// All entries in the order they were added, the retracted ones among them.
    package var entries: [EntryState] = []

    /// Where in `entries` an entry stands; a hint that a lookup checks, since `entries` may be set from outside.
    private var places: [UUID: Int] = [:]

    package init(id: UUID, profile: RecordProfile, owners: [UUID], created: Stamp) {
        self.id = id
        self.profile = profile
        self.owners = owners
        self.created = created
        self.updated = created
    }
}

/// That a record must be kept up to a day, and who said so.
package struct Hold: Hashable, Sendable {
    /// The last day on which the record must not be erased.
    package var until: Day
    package var set: Stamp

    package init(until: Day, set: Stamp) {
        self.until = until
        self.set = set
    }

    package func forbidsErasure(on day: Day) -> Bool { day <= until }
}

extension RecordState {
    package var displayName: String { profile.displayName }
    package var createdAt: Instant { created.recordedAt }
    package var updatedAt: Instant { updated.recordedAt }
    package var isClosed: Bool { closed != nil }

    package func entry(_ id: UUID) -> EntryState? {
        index(of: id).map { entries[$0] }
    }

    /// The entries of a kind that are not retracted, in the order they were added.
    package func activeEntries(of kind: Kind) -> [EntryState] {
        entries.filter { $0.content.kind == kind && !$0.isRetracted }
    }

    /// The entries that are not retracted, in the order they were added.
    package var activeEntries: [EntryState] {
        entries.filter { !$0.isRetracted }
    }

    /// The record with only those entries that had occurred by a day; an entry without a date is kept.
    package func happenedBy(_ day: Day) -> RecordState {
        var state = self
        state.entries.removeAll { entry in entry.content.date.map { $0.day > day } ?? false }
        return state
    }

    /// Adds an entry behind the others; false where it was added before.
    ///
    /// In constant time, whatever the answer.
    mutating func append(_ entry: EntryState) -> Bool {
        if let known = places.updateValue(entries.count, forKey: entry.id) {
            places[entry.id] = known
            return false
        }
        entries.append(entry)
        return true
    }

    /// Where an entry stands: in constant time, unless there is none or `entries` was set from outside.
    func index(of id: UUID) -> Int? {
        if let place = places[id], place < entries.count, entries[place].id == id { return place }
        return entries.firstIndex { $0.id == id }
    }
}

extension RecordState: Hashable {
    package static func == (left: RecordState, right: RecordState) -> Bool {
        left.id == right.id && left.profile == right.profile && left.owners == right.owners
            && left.created == right.created && left.updated == right.updated && left.closed == right.closed
            && left.hold == right.hold && left.entries == right.entries
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(updated)
        hasher.combine(entries.count)
    }
}
