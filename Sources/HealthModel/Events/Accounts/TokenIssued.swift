/// A token was issued to the account.
package struct TokenIssued: EventData {
    package var token: Token

    package static var type: EventType { EventType(code: 11) }

    package static let definition = EventDefinition(
        "token.issued",
        .account,
        "Token issued",
        { id, scope, expires, digest in
            TokenIssued(token: Token(id: id, scope: scope, expires: expires, digest: digest))
        },
        EventField(1, "token", \.token.id, .json),
        EventField(2, "scope", \.token.scope),
        EventField(3, "expires", \.token.expires),
        EventField(4, "digest", \.token.digest, .stored)
    )

    package var summary: EventSummary { "token \(token.id) of \(.account)" }
}

extension JournalEvent {
    package static func tokenIssued(_ token: Token) -> JournalEvent { JournalEvent(TokenIssued(token: token)) }
}
