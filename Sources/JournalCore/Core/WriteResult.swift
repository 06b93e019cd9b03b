package import FoundationEssentials

/// The result of a change: its position, and the entities that it concerns.
package struct WriteResult: Hashable, Sendable {
    /// The last position of the change; if nothing was changed, that of the existing state.
    package var position: UInt64
    /// The position of the last change of the entity itself, which distinguishes its states.
    package var version: UInt64
    package var record: UUID?
    package var entry: UUID?
    package var account: UUID?
    /// What else was created or changed: a practice, a part of it, or a specialist.
    package var id: UUID?
    /// The appointments whose clock time a change of a practice's zone moves, or would move.
    package var moved: [MovedAppointment] = []
    /// False if the requested state existed already.
    package var isChanged: Bool

    package init(
        position: UInt64,
        version: UInt64? = nil,
        record: UUID? = nil,
        entry: UUID? = nil,
        account: UUID? = nil,
        id: UUID? = nil,
        isChanged: Bool = true
    ) {
        self.position = position
        self.version = version ?? position
        self.record = record
        self.entry = entry
        self.account = account
        self.id = id
        self.isChanged = isChanged
    }

    /// Returns the result of a change that creates what it names; its commit adds the positions.
    package static func created(
        record: UUID? = nil,
        entry: UUID? = nil,
        account: UUID? = nil,
        id: UUID? = nil
    ) -> WriteResult {
        WriteResult(position: 0, record: record, entry: entry, account: account, id: id)
    }

    /// Returns the result of a change that may find the requested state, whose last change is at `position`.
    package static func existing(
        at position: UInt64,
        record: UUID? = nil,
        entry: UUID? = nil,
        account: UUID? = nil,
        id: UUID? = nil
    ) -> WriteResult {
        WriteResult(position: position, record: record, entry: entry, account: account, id: id, isChanged: false)
    }

    /// Makes this the result of events at consecutive positions from `first` to `last`, in these streams.
    ///
    /// The version is the position of the last event of the entity's own stream: events of claims, grants and diaries
    /// may follow. If the entity has none of its own, the version is that of the event that answers the request.
    package mutating func take(streams: [UUID], from first: UInt64, to last: UInt64, answer: Int) {
        let own = [entry, record, id, account].lazy.compactMap(\.self)
            .compactMap { streams.lastIndex(of: $0) }
            .first
        position = last
        version = min(first + UInt64(own ?? answer), last)
        isChanged = true
    }
}
