/// An import into the record was undone as a whole.
///
/// The changes that undo it precede this event, in the same append.
package struct ImportUndone: EventData {
    /// The position of the import's ``ImportEnded`` event, or of its ``ImportBegun`` event if it is not complete.
    package var position: UInt64

    package init(position: UInt64) {
        self.position = position
    }

    package static var type: EventType { EventType(code: 29) }

    package static let definition = EventDefinition(
        "import.undone",
        .record,
        "Import undone",
        ImportUndone.init,
        EventField(1, "import", \.position, .json)
    )

    package var summary: EventSummary { "import at position \(position)" }
}

extension JournalEvent {
    package static func importUndone(_ undone: ImportUndone) -> JournalEvent { JournalEvent(undone) }
}
