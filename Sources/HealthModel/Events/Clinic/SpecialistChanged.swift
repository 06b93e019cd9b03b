/// The description of a specialist was replaced.
package struct SpecialistChanged: EventData {
    package var profile: SpecialistProfile

    package init(profile: SpecialistProfile) {
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 124) }

    package static let definition = EventDefinition(
        "specialist.changed",
        .practice,
        "Specialist changed",
        sets: "specialist",
        SpecialistChanged.init,
        EventField(1, "profile", \.profile)
    )

    package var summary: EventSummary { "a specialist" }
}
