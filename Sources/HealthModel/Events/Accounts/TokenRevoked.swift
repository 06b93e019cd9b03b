package import FoundationEssentials

/// A token of the account was revoked.
package struct TokenRevoked: EventData {
    package var token: UUID

    package static var type: EventType { EventType(code: 12) }

    package static let definition = EventDefinition(
        "token.revoked",
        .account,
        "Token revoked",
        TokenRevoked.init,
        EventField(1, "token", \.token, .json)
    )

    package var summary: EventSummary { "token \(token) of \(.account)" }
}

extension JournalEvent {
    package static func tokenRevoked(_ token: UUID) -> JournalEvent { JournalEvent(TokenRevoked(token: token)) }
}
