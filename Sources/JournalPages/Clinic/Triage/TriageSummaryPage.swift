package import HealthModel
package import Interchange

/// The page of a triage for an owner of the animal: the level and its reasons in plain words.
package struct TriageSummaryPage: WebPage {
    package static let template = Template("triage-summary")

    package let crumbs: [AppointmentPage.Crumb]
    package let patient: String
    package let badge: LevelBadge
    package let reasons: [String]
    package let hasReasons: Bool
    /// Says that the staff set the level, so that the reasons may lead to another one.
    package let isSetByStaff: Bool
    package let isNotAssessed: Bool

    /// `assessment` is that of the triage; the page shows only why the level follows from it.
    package init(_ triage: TriageDocument, _ assessment: TriageAssessment?, _ view: PracticeView) {
        let words = view.words
        crumbs = [
            AppointmentPage.Crumb("/records", words["home"]),
            AppointmentPage.Crumb("/records/\(triage.record.text)/appointments", words["tab.appointments"]),
        ]
        patient = triage.patientName ?? words["patientUnknown"]
        badge = LevelBadge(triage.level, words)
        reasons =
            (assessment?.reasons.map { ShownAssessment.Reason($0, words).text } ?? [])
            + (assessment?.contradictions.map { words.sentence(recognizing: $0.sentence) } ?? [])
        hasReasons = !reasons.isEmpty
        isSetByStaff = triage.override != nil
        isNotAssessed = triage.assessedAt == nil && triage.override == nil
    }
}
