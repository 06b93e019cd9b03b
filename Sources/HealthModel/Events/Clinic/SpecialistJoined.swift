package import FoundationEssentials

/// A specialist works in one more practice.
package struct SpecialistJoined: EventData {
    package var practice: UUID

    package init(practice: UUID) {
        self.practice = practice
    }

    package static var type: EventType { EventType(code: 130) }

    package static let definition = EventDefinition(
        "specialist.joined",
        .practice,
        "Specialist joined",
        SpecialistJoined.init,
        EventField(1, "practice", \.practice)
    )

    package var summary: EventSummary { "practice \(practice)" }
}
