import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages that read a sentence into a form, and the completion of names in forms.
struct DraftPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        let say = routes.group("records/:record/say")
        say.get("", ask)
        say.post("", read)
    }

    @Sendable private func ask(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let head = try await visit.frame(visit.record(), at: .medication, kinds: CarePages.kinds)
        return visit.response(SentencePage(head), reader.words["sayIt"])
    }

    @Sendable private func read(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let reader = visit.reader
        let record = try visit.record()
        let text = typed["text"]
        let draft: Draft
        do {
            draft = try await journal.names.draft(text, in: record, visit.caller)
        } catch let error as JournalError where error.code == .invalid {
            return try await again(text, reader.words.sentence(error.text), visit)
        }
        // A dose whose name several plans have cannot be logged.
        guard let content = draft.content,
            content.kind != Dose.kind || draft.missingPlan != nil || content.body.id(Dose.of) != nil
        else { return try await again(text, reader.words["sayItProblem"], visit) }
        let kinds = CarePages.kinds + [content.kind]
        let head = try await visit.frame(record, at: .medication, kinds: kinds)
        let preferences = try await journal.accounts.preferences(visit.caller)
        let (clock, now) = try await journal.care.personClock(of: record, visit.caller)
        let planForm = PlanForm(reader, clock)
        var form = form(draft, content, preferences, head, reader, planForm, today: clock.day(at: now))
        if typed["voice"] == "true" { form.hidden.append(.init("voice", "true")) }
        if Plan.kinds.contains(content.kind) || draft.missingPlan != nil {
            try await pages.complete(&form, offersSentence: false, visit)
        }
        return visit.response(form, form.heading)
    }

    private func again(
        _ text: String,
        _ problem: String,
        _ visit: PageVisit
    ) async throws -> Response {
        let reader = visit.reader
        let head = try await visit.frame(visit.record(), at: .medication, kinds: CarePages.kinds)
        let page = SentencePage(head, text: text, problem: problem)
        return visit.response(page, reader.words["sayIt"], status: .badRequest)
    }

    /// Returns the form that logs a dose like a tap on it, so that it fills its open slot and is checked.
    private func dose(
        of plan: UUID,
        _ draft: Draft,
        _ content: EntryContent,
        _ head: RecordHead,
        _ reader: Reader
    ) -> FormPage {
        let words = reader.words
        let said = content.body.text(Dose.status)
        var status = FormField("status", words["doseStatus"], .choice)
        status.options = LoggedDose.Status.allCases.map {
            FormOption($0.rawValue, words["state.\($0.rawValue)"], isChosen: $0.rawValue == said)
        }
        let amount = content.body.decimal(Dose.amount).map { reader.typed($0) } ?? ""
        var fields = [
            status, FormField("at", words["whenTaken"], .moment, value: draft.wall?.description ?? ""),
            FormField("amount", words["amount"], .number, value: amount),
        ]
        // Why it was skipped, in the person's own words.
        if let why = content.body.text(Dose.reasonText) {
            fields.append(FormField("comment", words["comment"], .line, value: why))
        }
        var form = FormPage(
            head,
            heading: words["doseHeading"],
            lead: words["sayItLead"],
            facts: FormPage.facts(of: draft, reader),
            action: "\(head.address)/today",
            cancel: "\(head.address)/medication",
            submit: words["save"],
            fields: fields,
            key: pages.key()
        )
        form.hidden = [.init("dose", plan.text), .init("day", "")]
        // The reason is among the facts; it counts only for a dose that was skipped.
        if let reason = content.body.text(Dose.reason) { form.hidden.append(.init("why", reason)) }
        return form
    }

    /// Returns the form that a draft prefills; that of a new medication, if it is about a dose of an unknown one.
    private func form(
        _ draft: Draft,
        _ content: EntryContent,
        _ preferences: AccountPreferences,
        _ head: RecordHead,
        _ reader: Reader,
        _ planForm: PlanForm,
        today: Day
    ) -> FormPage {
        if content.kind == Dose.kind, let plan = content.body.id(Dose.of) {
            return dose(of: plan, draft, content, head, reader)
        }
        var kind = content.kind
        let fields: [FormField]
        let address: String
        if let name = draft.missingPlan {
            kind = Drug.kind
            // A dose without a plan is one that is taken when needed, unless the person prefers otherwise.
            let preset = PlanForm(reader).preset(of: nil, preferences)
            let values = preset.isEmpty ? PlanForm(reader).preset(of: "as_needed", preferences) : preset
            fields = PlanForm(reader).fields(values.merging(["name": name]) { $1 })
            address = "medication/new?kind=\(kind.name)"
        } else if Plan.kinds.contains(kind) {
            fields = planForm.fields(planForm.typed(of: content, preferences, today: today))
            address = "medication/new?kind=\(kind.name)"
        } else {
            fields = EntryForm(kind, reader).fields(content, isNew: true)
            address = "entries/\(kind.name)/new"
        }
        return FormPage(
            head,
            heading: reader.words["addHeading", reader.words.label(kind.label)],
            lead: reader.words[draft.missingPlan == nil ? "sayItLead" : "sayItMissing"],
            facts: FormPage.facts(of: draft, reader),
            action: "\(head.address)/\(address)",
            cancel: "\(head.address)/medication",
            submit: reader.words[Plan.kinds.contains(kind) ? "checkPlan" : "save"],
            fields: fields,
            key: pages.key()
        )
    }
}

extension Pages {
    /// Lets the field for a name offer the names of the record and the most common ones.
    ///
    /// Offers to say it in a sentence as well, to those who may read the record.
    func complete(
        _ form: inout FormPage,
        offersSentence: Bool = true,
        _ visit: PageVisit
    ) async throws {
        let own = try await journal.names.namesForForm(of: visit.record(), Plan.kinds, visit.caller)
        let known = Set((own ?? []).map { FoldedName($0) })
        let common = NameCatalogue.common.filter { !known.contains(FoldedName($0)) }
        form.fields = form.fields.completing(Drug.name.name, with: (own ?? []) + common)
        if offersSentence, own != nil { form.sentence = form.head.map { SentenceForm($0) } }
    }
}
