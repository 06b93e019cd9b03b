import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The short forms that pause, resume or stop a plan, or add stock.
extension PlanPages {
    func ask(_ step: PlanStep, _ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let (entry, head) = try await plan(visit)
        let form = form(step, entry, head, reader)
        return visit.response(form, form.heading)
    }

    func perform(_ step: PlanStep, _ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let (entry, head) = try await plan(visit)
        do {
            let writer = try visit.writer(typed)
            if step == .stock {
                let supply = try step.supply(of: entry, typed, reader, now: journal.now)
                _ = try await journal.entries.addEntry(supply, to: entry.record, writer)
                return Pages.redirect(to: "\(head.address)/stock?done=added")
            }
            var content = entry.content
            try step.edit(&content, typed)
            let changed = content
            let expected = ExpectedEntry(
                record: entry.record,
                kind: entry.kind,
                position: UInt64(typed["version"]) ?? 0
            )
            _ = try await journal.entries.changePlan(entry.id, expecting: expected, writer) { $0 = changed }
            return Pages.redirect(to: "\(head.address)/medication?done=changed")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            var problems: [String: String] = [:]
            let message = reader.message(for: error, &problems)
            var form = form(step, entry, head, reader, typed, problems)
            form.problem = message
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    private func form(
        _ step: PlanStep,
        _ entry: EntryState,
        _ head: RecordHead,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:]
    ) -> FormPage {
        FormPage(
            head,
            heading: reader.words["step.\(step.rawValue)", entry.content.shown(reader).what],
            lead: reader.words["stepLead.\(step.rawValue)"],
            action: "\(head.address)/medication/\(entry.id.text)/\(step.rawValue)",
            cancel: "\(head.address)/\(step == .stock ? "stock" : "medication")",
            submit: reader.words["save"],
            fields: step.fields(typed, problems, today: journal.today, reader),
            key: pages.key(typed),
            version: typed.flatMap { UInt64($0["version"]) } ?? entry.latest.position
        )
    }
}
