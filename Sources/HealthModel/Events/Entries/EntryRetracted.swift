/// The entry was withdrawn, because it was never true.
package struct EntryRetracted: EventData {
    package static let definition = EventDefinition(
        32,
        "entry.retracted",
        .entry,
        "Retracted",
        EntryRetracted.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static let entryRetracted = JournalEvent(EntryRetracted())
}
