package import FoundationEssentials

/// The grant of an account was revoked.
package struct CaregiverRevoked: EventData {
    package var account: UUID

    package static var type: EventType { EventType(code: 41) }

    package static let definition = EventDefinition(
        "caregiver.revoked",
        .grant,
        "Caregiver access revoked",
        CaregiverRevoked.init,
        EventField(1, "account", \.account, .json)
    )

    package var summary: EventSummary { "\(account) for \(.record)" }
}

extension JournalEvent {
    package static func caregiverRevoked(account: UUID) -> JournalEvent {
        JournalEvent(CaregiverRevoked(account: account))
    }
}
