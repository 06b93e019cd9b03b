package import FoundationEssentials

/// A token of the account is in use; appended at most once a day for each token.
package struct TokenUsed: EventData {
    package var token: UUID

    package static var type: EventType { EventType(code: 16) }

    package static let definition = EventDefinition(
        "token.used",
        .account,
        "Token used",
        TokenUsed.init,
        EventField(1, "token", \.token, .stored)
    )

    package var summary: EventSummary { "token \(token) of \(.account)" }
}

extension JournalEvent {
    package static func tokenUsed(_ token: UUID) -> JournalEvent { JournalEvent(TokenUsed(token: token)) }
}
