package import FoundationEssentials

/// A specialist began to work in a practice.
package struct SpecialistAdded: EventData {
    package var practice: UUID
    package var profile: SpecialistProfile

    package init(practice: UUID, profile: SpecialistProfile) {
        self.practice = practice
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 123) }

    package static let definition = EventDefinition(
        "specialist.added",
        .practice,
        "Specialist added",
        sets: "specialist",
        SpecialistAdded.init,
        EventField(1, "practice", \.practice),
        EventField(2, "profile", \.profile)
    )

    package var summary: EventSummary { "a specialist of practice \(practice)" }
}
