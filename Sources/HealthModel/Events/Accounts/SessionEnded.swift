package import FoundationEssentials

/// A session of the account ended.
package struct SessionEnded: EventData {
    package var session: UUID

    package static var type: EventType { EventType(code: 15) }

    package static let definition = EventDefinition(
        "session.ended",
        .account,
        "Session ended",
        SessionEnded.init,
        EventField(1, "session", \.session, .stored)
    )

    package var summary: EventSummary { "session \(session) of \(.account)" }
}

extension JournalEvent {
    package static func sessionEnded(_ session: UUID) -> JournalEvent { JournalEvent(SessionEnded(session: session)) }
}
