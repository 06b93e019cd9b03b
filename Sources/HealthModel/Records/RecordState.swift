package import FoundationEssentials

/// The state of a record as of a position of the log: `evolve` computes it, and the views return it.
package struct RecordState: Sendable {
    package var id: UUID
    package var profile: RecordProfile
    package var owners: [UUID]
    package var created: Stamp
    /// The last event that changed the record or any of its entries.
    package var updated: Stamp
    package var closed: Stamp?
    package var hold: Hold?
    /// All entries in the order in which they were added, including the retracted ones.
    package var entries: [EntryState] = []

    /// The index of each entry in `entries`.
    ///
    /// It is a hint that each lookup checks, because other code may set `entries` directly.
    private var places: [UUID: Int] = [:]

    package init(id: UUID, profile: RecordProfile, owners: [UUID], created: Stamp) {
        self.id = id
        self.profile = profile
        self.owners = owners
        self.created = created
        self.updated = created
    }
}

/// A retention hold: the day up to which a record must be kept, and when and by whom the hold was set.
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

    /// Returns the entries of a kind that are not retracted, in the order in which they were added.
    package func activeEntries(of kind: Kind) -> [EntryState] {
        entries.filter { $0.content.kind == kind && !$0.isRetracted }
    }

    /// The entries that are not retracted, in the order in which they were added.
    package var activeEntries: [EntryState] {
        entries.filter { !$0.isRetracted }
    }

    /// Returns the record without the entries that are dated after a day; an entry without a date is kept.
    package func happenedBy(_ day: Day) -> RecordState {
        var state = self
        state.entries.removeAll { entry in entry.content.date.map { $0.day > day } ?? false }
        return state
    }

    /// Appends an entry; returns false, and changes nothing, if it was added before.
    ///
    /// Takes constant time in both cases.
    mutating func append(_ entry: EntryState) -> Bool {
        if let known = places.updateValue(entries.count, forKey: entry.id) {
            places[entry.id] = known
            return false
        }
        entries.append(entry)
        return true
    }

    /// Returns the index of an entry in `entries`, or nil.
    ///
    /// Takes constant time, unless there is no such entry or other code set `entries` directly.
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
