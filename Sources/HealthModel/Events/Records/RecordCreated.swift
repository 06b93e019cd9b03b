package import FoundationEssentials

/// A record was created.
package struct RecordCreated: EventData {
    package var profile: RecordProfile
    package var owners: [UUID]

    package static var type: EventType { EventType(code: 20) }

    package static let definition = EventDefinition(
        "record.created",
        .record,
        "Record created",
        RecordCreated.init,
        EventField(1, "profile", \.profile, .stored),
        EventField(2, "owners", \.owners, .trail)
    )

    package var summary: EventSummary { "record of \(.record)" }
}

extension JournalEvent {
    package static func recordCreated(_ profile: RecordProfile, owners: [UUID]) -> JournalEvent {
        JournalEvent(RecordCreated(profile: profile, owners: owners))
    }
}
