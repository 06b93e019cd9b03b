/// A patient was assessed, with everything that the level was computed from.
package struct TriageAssessed: EventData {
    package var assessment: TriageAssessment

    package init(assessment: TriageAssessment) {
        self.assessment = assessment
    }

    package static var type: EventType { EventType(code: 172) }

    package static let definition = EventDefinition(
        "triage.assessed",
        .appointment,
        "Triage assessed",
        sets: "assessment",
        TriageAssessed.init,
        EventField(1, "assessment", \.assessment)
    )

    package var summary: EventSummary {
        "of \(.record): \(assessment.level.rawValue) \(assessment.level.name) by \(assessment.rulesLabel)"
    }
}
