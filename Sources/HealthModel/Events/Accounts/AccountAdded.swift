/// An account was added.
package struct AccountAdded: EventData {
    package var profile: AccountProfile

    package static var type: EventType { EventType(code: 10) }

    package static let definition = EventDefinition(
        "account.added",
        .account,
        "Account added",
        { name, kind, email in AccountAdded(profile: AccountProfile(name: name, email: email, kind: kind)) },
        EventField(1, "name", \.profile.name),
        EventField(2, "kind", \.profile.kind),
        EventField(3, "email", \.profile.email, .trail)
    )

    package var summary: EventSummary { "account \(profile.name)" }
}

extension JournalEvent {
    package static func accountAdded(_ profile: AccountProfile) -> JournalEvent {
        JournalEvent(AccountAdded(profile: profile))
    }
}
