import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// What a person checks before a plan is saved.
extension PlanPages {
    /// Returns the form of a plan of a record, by the clock of its person, and what that shows now.
    func planForm(
        _ visit: PageVisit
    ) async throws -> (form: PlanForm, now: WallMoment) {
        let reader = visit.reader
        let (clock, now) = try await journal.care.personClock(of: visit.record(), visit.caller)
        return (PlanForm(reader, clock), clock.wall(at: now))
    }

    /// Returns the plan in words, its next doses, serious findings and what could not be checked for interactions, for
    /// a person to check before the plan is saved.
    func preview(
        _ content: EntryContent,
        _ rules: [PlanRule],
        replacing entry: UUID? = nil,
        _ record: UUID,
        _ visit: PageVisit
    ) async throws -> [FormPage.Fact] {
        let reader = visit.reader
        let (unit, strength) = (content.body.text(PlanFields.unit), PlanStrength(content.body))
        var facts = rules.enumerated()
            .map { index, rule in
                let label = index == 0 ? reader.words["planInWords"] : ""
                return FormPage.Fact(label, reader.rule(rule, stopped: nil, unit: unit, strength: strength))
            }
        let substances = content.body.groups(PlanFields.substances).compactMap { $0.text(PlanFields.Substance.name) }
        if !substances.isEmpty {
            facts.append(FormPage.Fact(reader.words["substanceOfPlan"], substances.joined(separator: ", ")))
        }
        let doses = try await journal.care.preview(content, in: record, count: PlanPages.nextDoses, visit.caller)
        for (index, dose) in doses.enumerated() {
            let line = DoseLine(dose, day: journal.today.adding(days: -1), reader)
            let text = [line.time, line.amount].filter { !$0.isEmpty }.joined(separator: ", ")
            facts.append(FormPage.Fact(index == 0 ? reader.words["nextDoses"] : "", text))
        }
        let preview = try await journal.interactionChecks.previewFindings(
            content,
            replacing: entry,
            in: record,
            visit.caller
        )
        // A reader who may not check learns nothing, not even that nothing was checked.
        guard let preview else { return facts }
        let findings = preview.findings
        for (index, finding) in findings.enumerated() {
            let label = index == 0 ? reader.words["findingsBefore"] : ""
            facts.append(FormPage.Fact(label, finding.sentence(reader)))
        }
        if !findings.isEmpty { facts.append(FormPage.Fact("", reader.words["findingsAdvice"])) }
        if !preview.hasRules {
            facts.append(FormPage.Fact(reader.words["tab.interactions"], reader.words["previewWithoutRules"]))
        } else if !preview.notChecked.isEmpty {
            let names = preview.notChecked.map(reader.words.notChecked).joined(separator: ", ")
            facts.append(FormPage.Fact(reader.words["tab.interactions"], reader.words["previewNotChecked", names]))
        }
        return facts
    }
}
