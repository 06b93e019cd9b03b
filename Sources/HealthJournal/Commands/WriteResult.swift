package import FoundationEssentials

/// What a change came to: where it stands, and what it was about.
package struct WriteResult: Hashable, Sendable {
    /// The last position of the change; of what was there before when nothing was changed.
    package var position: UInt64
    /// The position of the last change of that one thing: what tells it from an earlier state of it.
    package var version: UInt64
    package var record: UUID?
    package var entry: UUID?
    package var account: UUID?
    /// False when what was asked for was so already.
    package var isChanged: Bool

    package init(
        position: UInt64,
        version: UInt64? = nil,
        record: UUID? = nil,
        entry: UUID? = nil,
        account: UUID? = nil,
        isChanged: Bool = true
    ) {
        self.position = position
        self.version = version ?? position
        self.record = record
        self.entry = entry
        self.account = account
        self.isChanged = isChanged
    }
}
