/// The account signed in.
package struct SessionBegun: EventData {
    package var session: AccountSession

    package static var type: EventType { EventType(code: 14) }

    package static let definition = EventDefinition(
        "session.begun",
        .account,
        "Signed in",
        { id, digest, expires in
            SessionBegun(session: AccountSession(id: id, digest: digest, expires: expires))
        },
        EventField(1, "session", \.session.id, .stored),
        EventField(2, "digest", \.session.digest, .stored),
        EventField(3, "expires", \.session.expires, .trail)
    )

    package var summary: EventSummary { "session \(session.id) of \(.account)" }
}

extension JournalEvent {
    package static func sessionBegun(_ session: AccountSession) -> JournalEvent {
        JournalEvent(SessionBegun(session: session))
    }
}
