package import FoundationEssentials

/// An account became an owner of the record.
package struct RecordOwnerAdded: EventData {
    package var account: UUID

    package static var type: EventType { EventType(code: 25) }

    package static let definition = EventDefinition(
        "record.ownerAdded",
        .record,
        "Owner added",
        RecordOwnerAdded.init,
        EventField(1, "account", \.account, .json)
    )

    package var summary: EventSummary { "\(account) as an owner of the record of \(.record)" }
}

extension JournalEvent {
    package static func recordOwnerAdded(_ account: UUID) -> JournalEvent {
        JournalEvent(RecordOwnerAdded(account: account))
    }
}
