package import HealthModel
package import Interchange

/// The page of a triage for the staff: the level, what can be done now and, for those who treat, everything it follows
/// from and all versions.
package struct TriagePage: WebPage {
    package static let template = Template("triage")

    package let line: TriageLine
    package let crumbs: [AppointmentPage.Crumb]
    package let status: String
    package let zoneText: String
    package let isRetracted: Bool
    package let facts: [LabelledText]
    /// A problem of a change that is not shown beside a field.
    package let problem: String?
    package let action: String
    package let mayRedNow: Bool
    package let redNowLabel: String
    package let assessAddress: String?
    /// The page of the rules, if there are none yet and the reader could assess otherwise.
    package let missingRulesAddress: String?
    /// Where an appointment is booked from the triage; nil for those who may not book.
    package let bookAddress: String?
    /// The form that takes the patient; nil if that cannot be done.
    package let take: StepForm?
    package let others: [StepForm]
    package let hasOthers: Bool
    package let assessment: ShownAssessment?
    package let isNotAssessed: Bool
    /// The level that was computed, where a person set another one.
    package let computed: Computed?
    package let versions: [ShownVersion]
    package let hasVersions: Bool
    package let version: UInt64
    /// Identifies a form that is sent twice.
    package let key: String

    package struct Computed: Sendable {
        package let badge: LevelBadge
        package let reason: String
    }

    package struct ShownVersion: Sendable {
        package let what: String
        package let when: String
        package let iso: String
        package let who: String
        package let reason: String?
        package let detail: String?
        package let badge: LevelBadge
    }

    /// What the reader may do now.
    package struct Permissions: Sendable {
        package var redNow = false
        package var assess = false
        /// Whether the practice has rules, without which no patient can be assessed.
        package var hasRules = true
        package var book = false

        package init() {}
    }

    /// `versions` are all of them, with the labels of their types; the last one is shown as it is at `shown`.
    package init(
        _ triage: TriageDocument,
        versions: [(label: String, version: TriageVersionDocument)],
        rules: [String],
        steps: [StepForm],
        _ may: Permissions,
        problem: String? = nil,
        today: Day,
        key: String,
        _ names: Names,
        _ view: PracticeView
    ) {
        let words = view.words
        let seesAll = triage.assessment != nil || versions.contains { $0.version.reason != nil }
        line = TriageLine(triage, today: today, view)
        crumbs = [
            AppointmentPage.Crumb("/practices", words["practices"]),
            AppointmentPage.Crumb("\(view.address)/board", view.practice.profile.name),
        ]
        zoneText = view.zoneText
        status = words["triageStatus.\(triage.status.rawValue)"]
        isRetracted = triage.status == .retracted
        facts = TriagePage.facts(triage, view)
        self.problem = problem
        action = "/triage/\(triage.id.text)/change"
        mayRedNow = may.redNow
        redNowLabel = words["redNowPatient", line.patient]
        assessAddress = may.assess && may.hasRules ? "/triage/\(triage.id.text)/assess" : nil
        missingRulesAddress = may.assess && !may.hasRules ? "\(view.address)/rules" : nil
        bookAddress =
            may.book && triage.patientName != nil
            ? "\(view.address)/book?record=\(triage.record.text)&assessment=\(triage.id.text)" : nil
        take = steps.first { $0.change == "take" }
        others = steps.filter { $0.change != "take" }
        hasOthers = !others.isEmpty
        assessment = triage.assessment.map { ShownAssessment($0, of: triage, rules: rules, view) }
        isNotAssessed = triage.assessedAt == nil
        computed =
            triage.override == nil || !seesAll
            ? nil
            : triage.computedLevel.map {
                Computed(badge: LevelBadge($0, words), reason: triage.overrideReason)
            }
        self.versions =
            versions.map { label, version in
                ShownVersion(
                    what: label,
                    when: view.reader.exactMoment(version.recordedAt),
                    iso: version.recordedAt.description,
                    who: names[version.actor, view.reader],
                    reason: version.reason,
                    detail: TriagePage.detail(of: version, view),
                    badge: LevelBadge(version.triage.level, words)
                )
            }
            .reversed()
        hasVersions = !versions.isEmpty
        version = triage.position
        self.key = key
    }

    private static func facts(_ triage: TriageDocument, _ view: PracticeView) -> [LabelledText] {
        let (words, reader) = (view.words, view.reader)
        let texts: [(String, String?)] = [
            ("arrivedOn", reader.moment(triage.arrivedAt)),
            ("complaint", triage.complaint.isEmpty ? nil : triage.complaint),
            ("assessedOn", triage.assessedAt.map { reader.moment($0) }),
            ("takenOn", triage.takenAt.map { reader.moment($0) }),
            ("takenBy", triage.takenBy.map(view.specialist)),
            ("leftOn", triage.leftAt.map { reader.moment($0) }),
            ("leftWhy", triage.leftWhy.map { words["leaveReason.\($0.rawValue)"] }),
            ("judgedLevel", triage.judged?.text(words)),
        ]
        return texts.compactMap { name, text in text.map { LabelledText(words[name], $0) } }
    }

    /// What a version adds beside the level.
    private static func detail(of version: TriageVersionDocument, _ view: PracticeView) -> String? {
        let (words, triage) = (view.words, version.triage)
        switch version.type {
        case "triage.begun": return triage.complaint.isEmpty ? nil : triage.complaint
        case "triage.taken": return triage.takenBy.map(view.specialist)
        case "triage.left": return triage.leftWhy.map { words["leaveReason.\($0.rawValue)"] }
        case "triage.judged": return triage.judged.map { words["judgedAs", $0.text(words)] }
        default: return nil
        }
    }
}
