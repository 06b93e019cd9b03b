package import FoundationEssentials

/// An identity was unlinked from the account.
package struct IdentityUnlinked: EventData {
    package var identity: UUID

    package static var type: EventType { EventType(code: 18) }

    package static let definition = EventDefinition(
        "account.identityUnlinked",
        .account,
        "Identity unlinked",
        IdentityUnlinked.init,
        EventField(1, "identity", \.identity, .stored)
    )

    package var summary: EventSummary { "\(.account) may no longer sign in through a provider" }
}

extension JournalEvent {
    package static func identityUnlinked(_ identity: UUID) -> JournalEvent {
        JournalEvent(IdentityUnlinked(identity: identity))
    }
}
