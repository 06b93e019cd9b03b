/// The entry's data key was destroyed; of the entry's events, only this one remains readable.
///
/// It is sealed with the record's own key.
package struct EntryErased: EventData {
    package static var type: EventType { EventType(code: 37) }

    package static let definition = EventDefinition(
        "entry.erased",
        .entry,
        "Entry erased",
        effect: .erases,
        EntryErased.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static let entryErased = JournalEvent(EntryErased())
}
