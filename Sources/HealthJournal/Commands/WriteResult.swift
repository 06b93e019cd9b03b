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
}
