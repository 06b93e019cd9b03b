/// The content of the entry was replaced by a better one for the same fact.
package struct EntryCorrected: EntryContentEvent {
    /// The complete new content.
    package var content: EntryContent

    package static var type: EventType { EventType(code: 31) }

    package static let definition = EventDefinition(
        "entry.corrected",
        "Corrected",
        effect: .replaces,
        content: EntryCorrected.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static func entryCorrected(_ content: EntryContent) -> JournalEvent {
        JournalEvent(EntryCorrected(content: content))
    }
}
