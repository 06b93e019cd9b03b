package import FoundationEssentials
package import HealthModel

/// The stream of an event, the subject whose key seals it, and the entry that it is about.
package struct EventStream {
    package let id: UUID
    package let subject: UUID
    package var entry: UUID?
    package var kind: Kind?

    package init(id: UUID, subject: UUID, entry: UUID? = nil, kind: Kind? = nil) {
        (self.id, self.subject, self.entry, self.kind) = (id, subject, entry, kind)
    }

    /// The stream of what is a subject itself: a record, an account, a practice, a client or a specialist.
    package static func own(_ id: UUID) -> EventStream { EventStream(id: id, subject: id) }

    /// The stream of an entry, an appointment, a triage or another part of a record that has an id of its own.
    package static func entry(_ id: UUID, of record: UUID, _ kind: Kind? = nil) -> EventStream {
        EventStream(id: id, subject: record, entry: id, kind: kind)
    }

    /// Another stream of a subject, such as that of its grants.
    package static func stream(_ id: UUID, of subject: UUID) -> EventStream { EventStream(id: id, subject: subject) }
}
