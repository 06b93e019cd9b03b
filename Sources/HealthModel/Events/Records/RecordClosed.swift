/// The record accepts no more changes.
package struct RecordClosed: EventData {
    package static var type: EventType { EventType(code: 22) }

    package static let definition = EventDefinition(
        "record.closed",
        .record,
        "Record closed",
        RecordClosed.init
    )

    package var summary: EventSummary { "record of \(.record)" }
}

extension JournalEvent {
    package static let recordClosed = JournalEvent(RecordClosed())
}
