package import FoundationEssentials

/// An account is no longer an owner of the record.
package struct RecordOwnerRemoved: EventData {
    package var account: UUID

    package static var type: EventType { EventType(code: 26) }

    package static let definition = EventDefinition(
        "record.ownerRemoved",
        .record,
        "Owner removed",
        RecordOwnerRemoved.init,
        EventField(1, "account", \.account, .json)
    )

    package var summary: EventSummary { "\(account) no longer as an owner of the record of \(.record)" }
}

extension JournalEvent {
    package static func recordOwnerRemoved(_ account: UUID) -> JournalEvent {
        JournalEvent(RecordOwnerRemoved(account: account))
    }
}
