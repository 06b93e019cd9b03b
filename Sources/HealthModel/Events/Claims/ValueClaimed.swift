package import FoundationEssentials

/// A value that must be unique, such as the name of an account, was claimed.
package struct ValueClaimed: EventData {
    /// The account or record that has the value.
    package var holder: UUID

    package static var type: EventType { EventType(code: 60) }

    package static let definition = EventDefinition(
        "value.claimed",
        .claim,
        "Value claimed",
        ValueClaimed.init,
        EventField(1, "holder", \.holder, .stored)
    )

    package var summary: EventSummary { "a unique value, for \(holder)" }
}

extension JournalEvent {
    package static func valueClaimed(holder: UUID) -> JournalEvent { JournalEvent(ValueClaimed(holder: holder)) }
}
