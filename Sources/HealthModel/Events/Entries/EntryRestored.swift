/// The retraction of the entry was undone.
package struct EntryRestored: EventData {
    package static var type: EventType { EventType(code: 33) }

    package static let definition = EventDefinition(
        "entry.restored",
        .entry,
        "Restored",
        effect: .restores,
        EntryRestored.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static let entryRestored = JournalEvent(EntryRestored())
}
