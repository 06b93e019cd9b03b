/// The entry was withdrawn, because it was never true.
package struct EntryRetracted: EventData {
    package static var type: EventType { EventType(code: 32) }

    package static let definition = EventDefinition(
        "entry.retracted",
        .entry,
        "Retracted",
        effect: .retracts,
        EntryRetracted.init
    )

    package var summary: EventSummary { "entry of \(.record)" }
}

extension JournalEvent {
    package static let entryRetracted = JournalEvent(EntryRetracted())
}
