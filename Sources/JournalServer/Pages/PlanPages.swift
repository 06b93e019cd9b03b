import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import JournalPages

/// Pages about the plans of medication and supplements: the list, and the forms that add and change them.
struct PlanPages {
    let pages: Pages
    var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        let medication = group.group("records/:record/medication")
        medication.get(use: list)
        medication.get("new", use: new)
        medication.post("new", use: add)
        medication.get(":entry/change", use: edit)
        medication.post(":entry/change", use: change)
        medication.get(":entry/correct", use: askForCorrection)
        medication.post(":entry/correct", use: correct)
        for step in PlanStep.allCases {
            medication.get(RouterPath(":entry/\(step.rawValue)")) { try await ask(step, $0, $1) }
            medication.post(RouterPath(":entry/\(step.rawValue)")) { try await perform(step, $0, $1) }
        }
    }

    /// How many of the next doses a page shows.
    static let nextDoses = 7

    @Sendable func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf", "done"])
        let asOf =
            try query.value("asOf") { text throws(ModelError) in text.isEmpty ? nil : try AsOf(parsing: text) } ?? nil
        let moment = MomentQuery(asOf: asOf, happenedBy: nil)
        let reader = pages.reader(request, context)
        let (record, caller) = (try context.record(), try context.requireCaller())
        var question = CareQuestion(asOf: asOf)
        let today = journal.today
        (question.from, question.to) = (today, today.adding(days: 31))
        let answer = try await journal.due(of: record, question, caller)
        var next: [UUID: [PlannedDoseDocument]] = [:]
        for dose in answer.document.doses where dose.due >= answer.now && dose.state != .paused {
            if next[dose.plan, default: []].count < PlanPages.nextDoses { next[dose.plan, default: []].append(dose) }
        }
        let page = MedicationPage(
            try await pages.frame(record, at: .medication, moment: moment, kinds: CarePages.kinds, reader, context),
            answer.plans.map { ($0.plan.state, $0.plan.plan) },
            next: next,
            findings: try await journal.mayKnowFindings(of: record, caller)
                ? try await journal.findingsOfPlans(of: record, asOf: asOf, caller) : [:],
            now: answer.clocks.person.wall(at: answer.now),
            mayAdd: try await journal.contributions(to: record, caller).isSuperset(of: Plan.kinds),
            reader
        )
        return pages.response(
            page,
            reader.words["tab.medication"],
            request,
            context,
            notice: pages.notice(query, request, context)
        )
    }

    /// Returns the plan that the address names, and the head of its pages.
    func plan(_ context: ServerContext, _ reader: Reader) async throws -> (EntryState, RecordHead) {
        let record = try context.record()
        let entry = try await journal.entry(named: context.entry().text, context.requireCaller())
        guard entry.record == record, Plan.kinds.contains(entry.kind) else {
            throw JournalError(.notFound, "there is no such medication or supplement in this record")
        }
        return (entry, try await pages.frame(record, at: .medication, kinds: [entry.kind], reader, context))
    }

    func plan(of entry: EntryState) -> Plan {
        let recorded = Plan.Recorded(at: entry.added.recordedAt, day: journal.day(of: entry.added.recordedAt))
        return Plan(id: entry.id, entry.content) { _ in recorded }
    }
}
