/// The content of the entry was replaced by a better one for the same fact.
package struct EntryCorrected: EventData {
    /// The complete new content.
    package var content: EntryContent

    package static let definition = EventDefinition(
        31,
        "entry.corrected",
        "Corrected",
        content: \.content,
        EntryCorrected.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static func entryCorrected(_ content: EntryContent) -> JournalEvent {
        JournalEvent(EntryCorrected(content: content))
    }
}
