/// The record must not be erased up to and including a day.
package struct RecordHeld: EventData {
    package var until: Day

    package static var type: EventType { EventType(code: 23) }

    package static let definition = EventDefinition(
        "record.held",
        .record,
        "Record protected from erasure",
        sets: "hold",
        RecordHeld.init,
        EventField(1, "until", \.until)
    )

    package var summary: EventSummary { "record of \(.record)" }
}

extension JournalEvent {
    package static func recordHeld(until: Day) -> JournalEvent { JournalEvent(RecordHeld(until: until)) }
}
