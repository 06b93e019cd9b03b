/// The retraction of the entry was undone.
package struct EntryRestored: EventData {
    package static let definition = EventDefinition(
        33,
        "entry.restored",
        .entry,
        "Restored",
        EntryRestored.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static let entryRestored = JournalEvent(EntryRestored())
}
