/// The record's data key was destroyed; of the record's events, only this one remains readable.
///
/// It is sealed with the journal's own key: its subject is the journal, and its header contains the record in the place
/// of an entry.
package struct RecordErased: EventData {
    package static var type: EventType { EventType(code: 24) }

    package static let definition = EventDefinition(
        "record.erased",
        .record,
        "Record erased",
        RecordErased.init
    )

    package var summary: EventSummary { "erased record \(.recordID)" }
}

extension JournalEvent {
    package static let recordErased = JournalEvent(RecordErased())
}
