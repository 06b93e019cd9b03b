package import FoundationEssentials

/// From a day on, a specialist does not work in a practice any more.
package struct SpecialistLeft: EventData {
    package var practice: UUID
    package var from: Day

    package init(practice: UUID, from: Day) {
        self.practice = practice
        self.from = from
    }

    package static var type: EventType { EventType(code: 131) }

    package static let definition = EventDefinition(
        "specialist.left",
        .practice,
        "Specialist left",
        SpecialistLeft.init,
        EventField(1, "practice", \.practice),
        EventField(2, "from", \.from)
    )

    package var summary: EventSummary { "practice \(practice), from \(from)" }
}
