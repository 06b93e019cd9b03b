/// The keys of all subjects are now sealed with a new master key.
package struct MasterKeyRotated: EventData {
    package static var type: EventType { EventType(code: 5) }

    package static let definition = EventDefinition(
        "journal.masterKeyRotated",
        .journal,
        "Master key rotated",
        MasterKeyRotated.init
    )

    package var summary: EventSummary { "a new master key" }
}

extension JournalEvent {
    package static let masterKeyRotated = JournalEvent(MasterKeyRotated())
}
