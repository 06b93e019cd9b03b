import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The form that adds a plan.
extension PlanPages {
    @Sendable func new(_ visit: PageVisit) async throws -> Response {
        let kind = try kind(visit)
        let reader = visit.reader
        let head = try await visit.frame(visit.record(), at: .medication, kinds: [kind])
        let preferences = try await journal.accounts.preferences(visit.caller)
        let values = PlanForm(reader).preset(of: nil, preferences)
        var form = form(head, kind, PlanForm(reader).fields(values), reader)
        try await pages.complete(&form, visit)
        return visit.response(form, form.heading)
    }

    @Sendable func add(_ visit: PageVisit) async throws -> Response {
        let kind = try kind(visit)
        let typed = try await visit.form()
        let reader = visit.reader
        let record = try visit.record()
        let values = typed.planValues
        if typed.showsFields {
            let head = try await visit.frame(record, at: .medication, kinds: [kind])
            let form = form(head, kind, PlanForm(reader).fields(values), reader, [], typed)
            return visit.response(form, form.heading)
        }
        var content = EntryContent(kind: kind)
        let (planForm, now) = try await planForm(visit)
        var problems = planForm.take(values, into: &content, now: now)
        let strength = planForm.strength(values)?.parts.first
        content.fillSubstance(from: try journal.nameCatalogue(), strength: strength?.amount, unit: strength?.unit)
        if let strength, content.body[PlanFields.substances] == nil {
            // No list knows the name: the strength is that of the product.
            try content.set("substances.0.name", text: values["name"] ?? "")
            try content.set("substances.0.strength", text: strength.amount.description)
            try content.set("substances.0.strengthUnit", text: strength.unit)
        }
        content.voiceEntryUsed = typed["voice"] == "true"
        var stock: ExactDecimal?
        if let text = values["stock"], !text.isEmpty {
            stock = reader.isAmbiguous(text) ? nil : try? ExactDecimal(parsingAmount: reader.plainNumber(text))
            if stock == nil { problems["stock"] = reader.words["amountNeeded"] }
        }
        var message: String?
        if problems.isEmpty, typed["checked"] == typed.planDigest {
            do {
                let result = try await journal.entries.addEntry(content, to: record, visit.writer(typed))
                if let stock, let plan = result.entry {
                    let supply = EntryContent.supply(of: plan, .received, stock, unit: values["unit"], at: journal.now)
                    _ = try await journal.entries.addEntry(supply, to: record, visit.writer(typed, request: 1))
                }
                return Pages.redirect(to: "/records/\(record.text)/medication?done=added")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        let head = try await visit.frame(record, at: .medication, kinds: [kind])
        let isChecked = problems.isEmpty && message == nil
        let facts = isChecked ? try await preview(content, rules(of: content), record, visit) : []
        var form = form(head, kind, PlanForm(reader).fields(values, problems: problems), reader, facts, typed)
        form.problem = message ?? reader.summary(problems)
        if form.hasFacts { form.hidden = [.init("checked", typed.planDigest)] }
        if content.voiceEntryUsed { form.hidden.append(.init("voice", "true")) }
        try await pages.complete(&form, offersSentence: false, visit)
        return visit.response(form, form.heading, status: form.hasFacts ? .ok : .badRequest)
    }

    private func kind(_ visit: PageVisit) throws -> Kind {
        let name = visit.query["kind"] ?? Drug.kind.name
        guard let kind = Plan.kinds.first(where: { $0.name == name }) else {
            throw JournalError(.notFound, "there is no such kind of plan")
        }
        return kind
    }

    private func rules(of content: EntryContent) -> [PlanRule] {
        let recorded = Plan.Recorded(at: journal.now, day: journal.today)
        return Plan(id: UUID(), content) { _ in recorded }.rules
    }

    private func form(
        _ head: RecordHead,
        _ kind: Kind,
        _ fields: [FormField],
        _ reader: Reader,
        _ facts: [FormPage.Fact] = [],
        _ typed: PageForm? = nil
    ) -> FormPage {
        FormPage(
            head,
            heading: reader.words["addHeading", reader.words.label(kind.label)],
            lead: facts.isEmpty ? reader.words["planLead"] : reader.words["planCheckLead"],
            facts: facts,
            action: "\(head.address)/medication/new?kind=\(kind.name)",
            cancel: "\(head.address)/medication",
            submit: reader.words[facts.isEmpty ? "checkPlan" : "savePlan"],
            fields: fields,
            key: pages.key(typed)
        )
    }
}
