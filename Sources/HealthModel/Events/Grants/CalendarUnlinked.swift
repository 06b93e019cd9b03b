package import FoundationEssentials

/// The secret address of a calendar feed was withdrawn.
package struct CalendarUnlinked: EventData {
    package var calendar: UUID

    package static var type: EventType { EventType(code: 46) }

    package static let definition = EventDefinition(
        "calendar.unlinked",
        .grant,
        "Calendar unlinked",
        CalendarUnlinked.init,
        EventField(1, "calendar", \.calendar, .json)
    )

    package var summary: EventSummary { "calendar \(calendar) of \(.record)" }
}

extension JournalEvent {
    package static func calendarUnlinked(_ calendar: UUID) -> JournalEvent {
        JournalEvent(CalendarUnlinked(calendar: calendar))
    }
}
