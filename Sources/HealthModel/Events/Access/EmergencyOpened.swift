package import FoundationEssentials

/// A caregiver, or a practice by the microchip number, opened the record's emergency view; the event's reason contains the
/// explanation.
package struct EmergencyOpened: EventData {
    /// The caregiver's account, or the practice.
    package var account: UUID
    /// The first moment at which the view is closed again.
    package var expires: Instant

    package static var type: EventType { EventType(code: 52) }

    package static let definition = EventDefinition(
        "emergency.opened",
        .access,
        "Emergency view opened",
        EmergencyOpened.init,
        EventField(1, "account", \.account, .json),
        EventField(2, "expires", \.expires)
    )

    package var summary: EventSummary { "emergency view of \(.record) to \(account)" }
}

extension JournalEvent {
    package static func emergencyOpened(account: UUID, expires: Instant) -> JournalEvent {
        JournalEvent(EmergencyOpened(account: account, expires: expires))
    }
}
