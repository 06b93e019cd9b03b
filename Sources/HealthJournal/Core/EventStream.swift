internal import FoundationEssentials
internal import HealthModel

/// The stream of an event, the subject whose key seals it, and the entry that it is about.
struct EventStream {
    let id: UUID
    let subject: UUID
    var entry: UUID?
    var kind: Kind?

    /// The stream of what is a subject itself: a record, an account, a practice, a client or a specialist.
    static func own(_ id: UUID) -> EventStream { EventStream(id: id, subject: id) }

    /// The stream of an entry, an appointment, a triage or another part of a record that has an id of its own.
    static func entry(_ id: UUID, of record: UUID, _ kind: Kind? = nil) -> EventStream {
        EventStream(id: id, subject: record, entry: id, kind: kind)
    }

    /// Another stream of a subject, such as that of its grants.
    static func stream(_ id: UUID, of subject: UUID) -> EventStream { EventStream(id: id, subject: subject) }
}
