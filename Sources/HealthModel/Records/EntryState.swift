package import FoundationEssentials

/// One entry as it is known at some position of the log.
package struct EntryState: Hashable, Sendable {
    package var id: UUID
    package var record: UUID
    package var content: EntryContent
    package var added: Stamp
    /// The last correction, if there was one.
    package var corrected: Stamp?
    /// Set while the entry is retracted.
    package var retracted: Stamp?
    /// The event that last touched the entry: what `If-Match` compares.
    package var latest: Stamp

    package init(id: UUID, record: UUID, content: EntryContent, added: Stamp) {
        self.id = id
        self.record = record
        self.content = content
        self.added = added
        self.latest = added
    }
}

/// Where, when and by whom something entered the log.
package struct Stamp: Hashable, Sendable {
    package var position: UInt64
    package var recordedAt: Instant
    package var actor: UUID

    package init(position: UInt64, recordedAt: Instant, actor: UUID) {
        self.position = position
        self.recordedAt = recordedAt
        self.actor = actor
    }
}
