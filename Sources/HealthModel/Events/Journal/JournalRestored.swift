/// The journal was restored from a backup.
package struct JournalRestored: EventData {
    /// The last position that was restored.
    package var head: UInt64
    /// The source, as the caller named it.
    package var from: String

    package static var type: EventType { EventType(code: 4) }

    package static let definition = EventDefinition(
        "journal.restored",
        .journal,
        "Restored",
        JournalRestored.init,
        EventField(1, "head", \.head, .json),
        EventField(2, "from", \.from, .stored)
    )

    package var summary: EventSummary { "restored from \(from), up to position \(head)" }
}

extension JournalEvent {
    package static func journalRestored(head: UInt64, from: String) -> JournalEvent {
        JournalEvent(JournalRestored(head: head, from: from))
    }
}
