/// A clock that was moved, or that was far ahead of the newest event, was deliberately accepted as correct.
package struct ClockAccepted: EventData {
    /// The time according to the boot clock, or the recorded time of the newest event.
    package var expected: Instant
    package var found: Instant

    package static var type: EventType { EventType(code: 202) }

    package static let definition = EventDefinition(
        "clock.accepted",
        .journal,
        "Clock accepted",
        ClockAccepted.init,
        EventField(1, "expected", \.expected, .json),
        EventField(2, "found", \.found, .json)
    )

    package var summary: EventSummary {
        "the clock at \(found) was accepted, where about \(expected) was expected"
    }
}

extension JournalEvent {
    package static func clockAccepted(expected: Instant, found: Instant) -> JournalEvent {
        JournalEvent(ClockAccepted(expected: expected, found: found))
    }
}
