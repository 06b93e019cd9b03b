/// From a day on, a specialist does not work any more, in any practice.
package struct SpecialistEnded: EventData {
    package var from: Day

    package init(from: Day) {
        self.from = from
    }

    package static var type: EventType { EventType(code: 128) }

    package static let definition = EventDefinition(
        "specialist.ended",
        .practice,
        "Specialist ended",
        SpecialistEnded.init,
        EventField(1, "from", \.from)
    )

    package var summary: EventSummary { "from \(from)" }
}
