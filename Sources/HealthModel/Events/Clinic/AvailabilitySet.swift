package import FoundationEssentials

/// From a day on, a specialist works at these hours of the week in a practice.
package struct AvailabilitySet: EventData {
    package var practice: UUID
    package var from: Day
    package var hours: WeeklyHours
    /// Which services the specialist likes to do, and when.
    package var preferences: [AvailabilityPreference]

    package init(practice: UUID, from: Day, hours: WeeklyHours, preferences: [AvailabilityPreference] = []) {
        self.practice = practice
        self.from = from
        self.hours = hours
        self.preferences = preferences
    }

    package static var type: EventType { EventType(code: 125) }

    package static let definition = EventDefinition(
        "availability.set",
        .practice,
        "Hours of a specialist set",
        sets: .each("availability", by: "practice"),
        AvailabilitySet.init(practice:from:hours:preferences:),
        EventField(1, "practice", \.practice),
        EventField(2, "from", \.from),
        EventField(3, "hours", \.hours),
        EventField(4, "preferences", \.preferences)
    )

    package var summary: EventSummary { "from \(from)" }
}
