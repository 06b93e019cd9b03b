/// The journal was created; always its first event.
package struct JournalCreated: EventData {
    package var name: String
    /// The IANA identifier of the time zone in which a day given for `asOf` ends.
    package var zone: String

    package static var type: EventType { EventType(code: 1) }

    package static let definition = EventDefinition(
        "journal.created",
        .journal,
        "Journal created",
        JournalCreated.init,
        EventField(1, "name", \.name, .trail),
        EventField(2, "zone", \.zone)
    )

    package var summary: EventSummary { "the journal" }
}

extension JournalEvent {
    package static func journalCreated(name: String, zone: String) -> JournalEvent {
        JournalEvent(JournalCreated(name: name, zone: zone))
    }
}
