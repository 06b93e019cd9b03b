import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that corrects what a plan always was.
extension PlanPages {
    @Sendable func askForCorrection(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let reader = pages.reader(request, context)
        let (entry, head) = try await plan(context, reader)
        let values = try await planForm(reader, context).form.typed(of: entry.content, plan(of: entry))
        let fields = PlanForm(reader).correctionFields(values)
        let form = correcting(entry, head, fields, reader, version: entry.latest.position)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable func correct(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let reader = pages.reader(request, context)
        let (entry, head) = try await plan(context, reader)
        let values = typed.planValues
        let version = UInt64(typed["version"]) ?? entry.latest.position
        if typed.showsFields {
            let fields = PlanForm(reader).correctionFields(values)
            let form = correcting(entry, head, fields, reader, typed, version: version)
            return pages.response(form, form.heading, request, context)
        }
        var content = entry.content
        var problems = try await planForm(reader, context).form.correct(values, in: &content, plan(of: entry))
        var message: String?
        if problems.isEmpty {
            do {
                let corrected = content
                let expected = ExpectedEntry(record: entry.record, kind: entry.kind, position: version)
                let writer = try context.writer(typed, request, reason: typed["reason"])
                _ = try await journal.correctEntry(entry.id, expecting: expected, writer) { $0 = corrected }
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
        return pages.response(form, form.heading, request, context, status: .badRequest)
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
