/// A practice was created.
package struct PracticeCreated: EventData {
    package var profile: PracticeProfile

    package init(profile: PracticeProfile) {
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 120) }

    package static let definition = EventDefinition(
        "practice.created",
        .practice,
        "Practice created",
        sets: "practice",
        PracticeCreated.init,
        EventField(1, "profile", \.profile)
    )

    package var summary: EventSummary { "a practice" }
}
