/// A backup was started or completed.
package struct JournalBackedUp: EventData {
    /// The target, as the caller named it.
    package var place: String
    /// The last position in the backup; 0 while the backup is not complete.
    package var head: UInt64

    package static var type: EventType { EventType(code: 3) }

    package static let definition = EventDefinition(
        "journal.backedUp",
        .journal,
        "Backed up",
        JournalBackedUp.init,
        EventField(1, "place", \.place, .stored),
        EventField(2, "head", \.head, .json)
    )

    package var summary: EventSummary {
        head == 0 ? "a backup to \(place), about to start" : "backup to \(place), up to position \(head)"
    }
}

extension JournalEvent {
    package static func journalBackedUp(place: String, head: UInt64) -> JournalEvent {
        JournalEvent(JournalBackedUp(place: place, head: head))
    }
}
