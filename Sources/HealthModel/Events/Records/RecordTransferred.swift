package import FoundationEssentials

/// An account became the only owner of the record.
package struct RecordTransferred: EventData {
    package var account: UUID

    package static var type: EventType { EventType(code: 27) }

    package static let definition = EventDefinition(
        "record.transferred",
        .record,
        "Record transferred",
        RecordTransferred.init,
        EventField(1, "account", \.account, .json)
    )

    package var summary: EventSummary { "record of \(.record) to \(account)" }
}

extension JournalEvent {
    package static func recordTransferred(to account: UUID) -> JournalEvent {
        JournalEvent(RecordTransferred(account: account))
    }
}
