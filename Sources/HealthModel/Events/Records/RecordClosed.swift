/// The record accepts no more changes.
package struct RecordClosed: EventData {
    package static let definition = EventDefinition(
        22,
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
