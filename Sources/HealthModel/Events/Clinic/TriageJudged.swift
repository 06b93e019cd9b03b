/// A veterinarian said what the level should have been.
package struct TriageJudged: EventData {
    package var level: UrgencyLevel

    package init(level: UrgencyLevel) {
        self.level = level
    }

    package static var type: EventType { EventType(code: 177) }

    package static let definition = EventDefinition(
        "triage.judged",
        .appointment,
        "Triage judged",
        TriageJudged.init,
        EventField(1, "level", \.level)
    )

    package var summary: EventSummary { "of \(.record)" }
}
