package import HealthModel
package import Interchange

/// The form of an assessment: the examination, the signs, the vital signs, and the rest.
package struct TriageAssessPage: WebPage {
    package static let template = Template("triage-assess")

    package let line: TriageLine
    package let crumbs: [AppointmentPage.Crumb]
    package let action: String
    package let changeAddress: String
    package let redNowLabel: String
    /// A problem of the whole form.
    package let problem: String?
    package let parts: [FindingsForm.Part]
    package let signs: [FindingsForm.Signs]
    /// A problem with the signs.
    package let signProblem: String?
    package let vitals: [FormField]
    package let rest: [FormField]
    /// Which rules apply.
    package let rules: String
    /// Says that no usual range is shown, because the species is not known.
    package let speciesUnknown: String?
    /// Says that the signs of the last assessment are ticked.
    package let isAgain: Bool
    /// Identifies a form that is sent twice.
    package let key: String

    package init(
        _ triage: TriageDocument,
        _ form: FindingsForm,
        rules: String,
        typed: [String: String],
        ticked: [String],
        problems: [String: String] = [:],
        problem: String? = nil,
        isSpeciesKnown: Bool,
        today: Day,
        key: String,
        _ view: PracticeView
    ) {
        let words = view.words
        line = TriageLine(triage, today: today, view)
        crumbs = [
            AppointmentPage.Crumb("/practices", words["practices"]),
            AppointmentPage.Crumb("\(view.address)/board", view.practice.profile.name),
            AppointmentPage.Crumb(line.address, line.patient),
        ]
        action = "\(line.address)/assess"
        changeAddress = "\(line.address)/change"
        redNowLabel = words["redNowPatient", line.patient]
        self.problem = problem
        parts = form.examination(typed, problems)
        signs = form.signs(ticked)
        signProblem = problems["signs"]
        vitals = form.vitals(typed, problems)
        rest = form.rest(typed, problems)
        self.rules = words["assessedWith", rules]
        speciesUnknown = isSpeciesKnown ? nil : words["speciesUnknown"]
        isAgain = triage.assessment != nil
        self.key = key
    }
}
