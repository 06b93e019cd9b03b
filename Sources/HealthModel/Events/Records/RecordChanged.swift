/// The profile of the record was replaced.
package struct RecordChanged: EventData {
    /// The complete new profile.
    package var profile: RecordProfile

    package static var type: EventType { EventType(code: 21) }

    package static let definition = EventDefinition(
        "record.changed",
        .record,
        "Personal details changed",
        RecordChanged.init,
        EventField(1, "profile", \.profile, .stored)
    )

    package var summary: EventSummary { "record of \(.record)" }
}

extension JournalEvent {
    package static func recordChanged(_ profile: RecordProfile) -> JournalEvent {
        JournalEvent(RecordChanged(profile: profile))
    }
}
