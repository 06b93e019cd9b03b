/// The account was removed: it can no longer be used.
///
/// Its tokens, sessions, identities, channels and devices, and its password, end with this event.
package struct AccountRemoved: EventData {
    package static var type: EventType { EventType(code: 96) }

    package static let definition = EventDefinition(
        "account.removed",
        .account,
        "Account removed",
        AccountRemoved.init
    )

    package var summary: EventSummary { "account of \(.account)" }
}

extension JournalEvent {
    package static let accountRemoved = JournalEvent(AccountRemoved())
}
