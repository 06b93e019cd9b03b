import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that corrects what a plan always was.
extension PlanPages {
    @Sendable func askForCorrection(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let (entry, head) = try await plan(visit)
        let values = try await planForm(visit).form.typed(of: entry.content, plan(of: entry))
        let fields = PlanForm(reader).correctionFields(values)
        let form = correcting(entry, head, fields, reader, version: entry.latest.position)
        return visit.response(form, form.heading)
    }

    @Sendable func correct(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let (entry, head) = try await plan(visit)
        let values = typed.planValues
        let version = UInt64(typed["version"]) ?? entry.latest.position
        if typed.showsFields {
            let fields = PlanForm(reader).correctionFields(values)
            let form = correcting(entry, head, fields, reader, typed, version: version)
            return visit.response(form, form.heading)
        }
        var content = entry.content
        var problems = try await planForm(visit).form.correct(values, in: &content, plan(of: entry))
        var message: String?
        if problems.isEmpty {
            do {
                let corrected = content
                let expected = ExpectedEntry(record: entry.record, kind: entry.kind, position: version)
                let writer = try visit.writer(typed, reason: typed["reason"])
                _ = try await journal.entries.correctEntry(entry.id, expecting: expected, writer) { $0 = corrected }
                return Pages.redirect(to: "\(head.address)/medication?done=changed")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        let fields = PlanForm(reader).correctionFields(values, problems: problems)
        var form = correcting(entry, head, fields, reader, typed, version: version)
        form.problem = message ?? reader.summary(problems)
        return visit.response(form, form.heading, status: .badRequest)
    }

    private func correcting(
        _ entry: EntryState,
        _ head: RecordHead,
        _ fields: [FormField],
        _ reader: Reader,
        _ typed: PageForm? = nil,
        version: UInt64
    ) -> FormPage {
        FormPage(
            head,
            heading: reader.words["correctHeading", entry.content.shown(reader).what],
            lead: reader.words["correctPlanLead"],
            action: "\(head.address)/medication/\(entry.id.text)/correct",
            cancel: "\(head.address)/medication",
            submit: reader.words["save"],
            fields: fields + [reader.reason(typed)],
            key: pages.key(typed),
            version: version
        )
    }
}
