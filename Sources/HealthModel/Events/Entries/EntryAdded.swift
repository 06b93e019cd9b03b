/// An entry was added.
package struct EntryAdded: EventData {
    package var content: EntryContent

    package static let definition = EventDefinition(30, "entry.added", "Added", content: \.content, EntryAdded.init)

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static func entryAdded(_ content: EntryContent) -> JournalEvent {
        JournalEvent(EntryAdded(content: content))
    }
}
