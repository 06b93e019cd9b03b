package import FoundationEssentials
package import HealthModel
package import Interchange

/// The page of all plans of medication and supplements.
package struct MedicationPage: WebPage {
    package static let template = Template("medication")

    package let head: RecordHead
    package let mayAdd: Bool
    package let sentence: SentenceForm?
    package let groups: [Group]
    package let isEmpty: Bool
    package let interactionsAddress: String
    /// Whether a plan shows findings, of which the page says once what they are worth.
    package let hasFindings: Bool

    /// The plans of one kind.
    package struct Group: Sendable {
        package let label: String
        package let id: String
        package let addAddress: String
        package let addLabel: String
        package let plans: [Card]
        package let ended: [Card]
        package let hasEnded: Bool
        package let isEmpty: Bool
    }

    /// One plan.
    package struct Card: Sendable {
        package let name: String
        package let address: String
        package let entryAddress: String
        package let facts: [String]
        package let rules: [String]
        package let remarks: [String]
        /// Open findings about interactions.
        package let findings: [Finding]
        package let hasFindings: Bool
        package let next: [String]
        package let hasNext: Bool
        package let isPaused: Bool
        /// Whether the entry names a medication, and has no rule that says when it is taken.
        package let hasNoRules: Bool
        package let isEnded: Bool
        package let usesVoice: Bool
    }

    /// A finding in one sentence, behind its severity.
    package struct Finding: Sendable {
        package let badge: SeverityBadge
        package let text: String
    }

    package init(
        _ head: RecordHead,
        _ plans: [(entry: EntryState, plan: Plan)],
        next: [UUID: [PlannedDoseDocument]],
        findings: [UUID: [FindingDocument]],
        now: WallMoment,
        mayAdd: Bool,
        _ reader: Reader
    ) {
        self.head = head
        self.mayAdd = mayAdd && !head.moment.isPast
        sentence = self.mayAdd ? SentenceForm(head) : nil
        groups = Plan.kinds.map { kind in
            let cards = plans.filter { $0.entry.kind == kind }
                .map { entry, plan in
                    Card(head, entry, plan, next[entry.id] ?? [], findings[entry.id] ?? [], now: now, reader)
                }
            let ended = cards.filter(\.isEnded)
            return Group(
                label: reader.words.label(kind.plural),
                id: "plans-\(kind.name)",
                addAddress: "\(head.address)/medication/new?kind=\(kind.name)",
                addLabel: reader.words["addTo", reader.words.label(kind.label)],
                plans: cards.filter { !$0.isEnded },
                ended: ended,
                hasEnded: !ended.isEmpty,
                isEmpty: cards.isEmpty
            )
        }
        isEmpty = plans.isEmpty
        hasFindings = plans.contains { !(findings[$0.entry.id] ?? []).isEmpty }
        interactionsAddress = "\(head.address)/interactions\(head.moment.query)"
    }
}

extension MedicationPage.Card {
    fileprivate init(
        _ head: RecordHead,
        _ entry: EntryState,
        _ plan: Plan,
        _ next: [PlannedDoseDocument],
        _ findings: [FindingDocument],
        now: WallMoment,
        _ reader: Reader
    ) {
        self.findings = findings.map { finding in
            MedicationPage.Finding(
                badge: SeverityBadge(finding.severity, or: reader.words["notRated"], reader),
                text: finding.statement(reader)
            )
        }
        hasFindings = !findings.isEmpty
        let words = reader.words
        let body = entry.content.body
        let (unit, strength) = (body.text(PlanFields.unit), PlanStrength(body))
        name = body.text(Drug.name) ?? body.text(Drug.rawText) ?? words.label(entry.kind.label)
        address = "\(head.address)/medication/\(entry.id.text)"
        entryAddress = "\(head.address)/entries/\(entry.kind.name)/\(entry.id.text)"
        facts = [
            body.text(Drug.dosage), body.text(PlanFields.form).map(reader.choice), body.text(PlanFields.indication),
            body.text(PlanFields.prescribedBy).map { words["prescribedByWho", $0] },
        ]
        .compactMap(\.self)
        rules = plan.currentRules(at: now)
            .map { reader.rule($0, stopped: plan.stopped, unit: unit, strength: strength) }
        isPaused = plan.isPaused(at: now)
        hasNoRules = plan.rules.isEmpty
        isEnded = plan.hasEnded(at: now)
        var remarks = reader.remarks(of: plan, at: now)
        if let stop = reader.stop(of: plan, entry.content) { remarks.append(stop) }
        if plan.rules.isEmpty { remarks.append(words["noPlanYet"]) }
        self.remarks = remarks
        self.next = next.map { dose in
            let time = dose.local.dropFirst(11).prefix(5)
            let day = (try? Day(parsing: String(dose.local.prefix(10)))).map(reader.day) ?? ""
            return [day, String(time), reader.amount(dose.amount, dose.amountText, dose.unit, dose.strength)]
                .filter { !$0.isEmpty }.joined(separator: " ")
        }
        hasNext = !next.isEmpty
        usesVoice = entry.content.voiceEntryUsed == true
    }
}
