/// An identity at a sign-in provider was linked to the account.
package struct IdentityLinked: EventData {
    package var identity: AccountIdentity

    package static var type: EventType { EventType(code: 17) }

    package static let definition = EventDefinition(
        "account.identityLinked",
        .account,
        "Identity linked",
        { id, issuer, subject in
            IdentityLinked(identity: AccountIdentity(id: id, issuer: issuer, subject: subject))
        },
        EventField(1, "identity", \.identity.id, .stored),
        EventField(2, "issuer", \.identity.issuer, .trail),
        EventField(3, "subject", \.identity.subject, .trail)
    )

    package var summary: EventSummary { "\(.account) may sign in through another provider" }
}

extension JournalEvent {
    package static func identityLinked(_ identity: AccountIdentity) -> JournalEvent {
        JournalEvent(IdentityLinked(identity: identity))
    }
}
