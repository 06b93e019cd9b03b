package import FoundationEssentials

/// The state of an entry as of a position of the log.
package struct EntryState: Hashable, Sendable {
    package var id: UUID
    package var record: UUID
    package var content: EntryContent
    package var added: Stamp
    /// The last event that replaced the content: a correction or, of a plan, a change.
    package var corrected: Stamp?
    /// Set while the entry is retracted.
    package var retracted: Stamp?
    /// The last event that changed the entry; `If-Match` is compared with it.
    package var latest: Stamp

    package init(id: UUID, record: UUID, content: EntryContent, added: Stamp) {
        self.id = id
        self.record = record
        self.content = content
        self.added = added
        self.latest = added
    }
}

/// The position, recorded time and actor of an event in the log.
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

extension EntryState {
    package var isRetracted: Bool { retracted != nil }
    package var kind: Kind { content.kind }
}
