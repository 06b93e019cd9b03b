/// The description of a practice was replaced.
package struct PracticeChanged: EventData {
    package var profile: PracticeProfile

    package init(profile: PracticeProfile) {
        self.profile = profile
    }

    package static var type: EventType { EventType(code: 121) }

    package static let definition = EventDefinition(
        "practice.changed",
        .practice,
        "Practice changed",
        sets: "practice",
        PracticeChanged.init,
        EventField(1, "profile", \.profile)
    )

    package var summary: EventSummary { "a practice" }
}
