/// A log that does not extend its stored checkpoint was deliberately accepted.
package struct JournalAccepted: EventData {
    /// The number of events of the checkpoint.
    package var expectedSize: UInt64
    /// The root of the tree over them.
    package var expectedRoot: [UInt8]
    /// The number of events of the log.
    package var foundSize: UInt64

    package static var type: EventType { EventType(code: 2) }

    package static let definition = EventDefinition(
        "journal.accepted",
        .journal,
        "Log accepted",
        JournalAccepted.init,
        EventField(1, "expectedSize", \.expectedSize, .stored),
        EventField(2, "expectedRoot", \.expectedRoot, .stored),
        EventField(3, "foundSize", \.foundSize, .stored)
    )

    package var summary: EventSummary {
        "accepted a log of \(foundSize) events where a checkpoint proves \(expectedSize)"
    }
}

extension JournalEvent {
    package static func journalAccepted(expectedSize: UInt64, expectedRoot: [UInt8], foundSize: UInt64) -> JournalEvent
    {
        JournalEvent(JournalAccepted(expectedSize: expectedSize, expectedRoot: expectedRoot, foundSize: foundSize))
    }
}
