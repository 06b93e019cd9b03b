/// The record accepts changes again.
package struct RecordReopened: EventData {
    package static var type: EventType { EventType(code: 28) }

    package static let definition = EventDefinition(
        "record.reopened",
        .record,
        "Record reopened",
        RecordReopened.init
    )

    package var summary: EventSummary { "record of \(.record)" }
}

extension JournalEvent {
    package static let recordReopened = JournalEvent(RecordReopened())
}
