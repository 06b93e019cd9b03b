/// An entry was added.
package struct EntryAdded: EntryContentEvent {
    package var content: EntryContent

    package static var type: EventType { EventType(code: 30) }

    package static let definition = EventDefinition("entry.added", "Added", effect: .adds, content: EntryAdded.init)

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static func entryAdded(_ content: EntryContent) -> JournalEvent {
        JournalEvent(EntryAdded(content: content))
    }
}
