/// The entry's data key was destroyed; of the entry's events, only this one remains readable.
///
/// It is sealed with the record's own key.
package struct EntryErased: EventData {
    /// The copies of the entry that the journal knew of, at most as many as an event can list.
    package var copies: [EntryCopy]

    package init(copies: [EntryCopy] = []) {
        self.copies = Array(copies.prefix(Limits.eventList))
    }

    package static var type: EventType { EventType(code: 37) }

    package static let definition = EventDefinition(
        "entry.erased",
        .entry,
        "Entry erased",
        effect: .erases,
        EntryErased.init,
        EventField(1, "copies", \.copies)
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static let entryErased = JournalEvent(EntryErased())
}
