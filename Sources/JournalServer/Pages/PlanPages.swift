import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages about the plans of medication and supplements: the list, and the forms that add and change them.
struct PlanPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        let medication = routes.group("records/:record/medication")
        medication.get("", query: ["asOf", "done"], list)
        medication.get("new", query: ["kind"], new)
        medication.post("new", query: ["kind"], add)
        medication.get(":entry/change", edit)
        medication.post(":entry/change", change)
        medication.get(":entry/correct", askForCorrection)
        medication.post(":entry/correct", correct)
        for step in PlanStep.allCases {
            medication.get(RouterPath(":entry/\(step.rawValue)")) { try await ask(step, $0) }
            medication.post(RouterPath(":entry/\(step.rawValue)")) { try await perform(step, $0) }
        }
    }

    /// How many of the next doses a page shows.
    static let nextDoses = 7

    @Sendable func list(_ visit: PageVisit) async throws -> Response {
        let asOf =
            try visit.query.value("asOf") { text throws(ModelError) in text.isEmpty ? nil : try AsOf(parsing: text) }
            ?? nil
        let moment = MomentQuery(asOf: asOf, happenedBy: nil)
        let reader = visit.reader
        let (record, caller) = (try visit.record(), try visit.caller)
        var question = CareQuestion(asOf: asOf)
        let today = journal.today
        (question.from, question.to) = (today, today.adding(days: 31))
        let answer = try await journal.care.due(of: record, question, caller)
        var next: [UUID: [PlannedDoseDocument]] = [:]
        for dose in answer.document.doses where dose.due >= answer.now && dose.state != .paused {
            if next[dose.plan, default: []].count < PlanPages.nextDoses { next[dose.plan, default: []].append(dose) }
        }
        let page = MedicationPage(
            try await visit.frame(record, at: .medication, moment: moment, kinds: CarePages.kinds),
            answer.plans.map { ($0.plan.state, $0.plan.plan) },
            next: next,
            findings: try await journal.interactionChecks.mayKnowFindings(of: record, caller)
                ? try await journal.interactionChecks.findingsOfPlans(of: record, asOf: asOf, caller) : [:],
            now: answer.clocks.person.wall(at: answer.now),
            mayAdd: try await journal.access.contributions(to: record, caller).isSuperset(of: Plan.kinds),
            reader
        )
        return visit.response(page, reader.words["tab.medication"])
    }

    /// Returns the plan that the address names, and the head of its pages.
    func plan(_ visit: PageVisit) async throws -> (EntryState, RecordHead) {
        let record = try visit.record()
        let entry = try await journal.entries.entry(named: visit.entry().text, visit.caller)
        guard entry.record == record, Plan.kinds.contains(entry.kind) else {
            throw JournalError(.notFound, "there is no such medication or supplement in this record")
        }
        return (entry, try await visit.frame(record, at: .medication, kinds: [entry.kind]))
    }

    func plan(of entry: EntryState) -> Plan {
        let recorded = Plan.Recorded(at: entry.added.recordedAt, day: journal.day(of: entry.added.recordedAt))
        return Plan(id: entry.id, entry.content) { _ in recorded }
    }
}
