import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages on which a caregiver opens the emergency view of a record and states the reason.
struct EmergencyPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/emergency", use: ask)
        group.post("records/:record/emergency", use: open)
        group.get("practices/:practice/emergency", use: askForChip)
        group.post("practices/:practice/emergency", use: openByChip)
    }

    /// Shows the form without reading the record: whether it exists and may be opened is evaluated when the form is
    /// sent.
    @Sendable private func ask(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let form = form(try context.record(), pages.reader(request, context))
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func open(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        let record = try context.record()
        let typed = try await request.pageForm()
        var problems: [String: String] = [:]
        do {
            _ = try await journal.openEmergency(
                record,
                hours: Journal.emergencyHours,
                context.writer(typed, request, reason: typed["reason"])
            )
            return Pages.redirect(to: "/records/\(record.text)")
        } catch let error as JournalError where error.isOfTheForm {
            let form = form(record, reader, typed, reader.message(for: error, &problems), problems)
            return pages.response(form, form.heading, request, context, status: .badRequest)
        }
    }

    /// Asks for the number of a microchip; who may open the view is evaluated when the form is sent.
    @Sendable private func askForChip(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let (practice, caller) = (try context.practice(), try context.requireCaller())
        // The read of no patient records the refusal of those who are no members.
        if try await journal.practice(practice, caller).roles.isEmpty {
            _ = try await journal.patients(of: practice, caller)
        }
        let form = chipForm(practice, pages.reader(request, context))
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func openByChip(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        let practice = try context.practice()
        let typed = try await request.pageForm()
        var problems: [String: String] = [:]
        do {
            let opened = try await journal.openEmergency(
                chip: typed["chip"],
                in: practice,
                context.writer(typed, request, reason: typed["reason"])
            )
            return Pages.redirect(to: "/records/\(opened.record.text)")
        } catch let error as JournalError where error.isOfTheForm || error.field == "chip" {
            let form = chipForm(practice, reader, typed, reader.message(for: error, &problems), problems)
            return pages.response(form, form.heading, request, context, status: .badRequest)
        }
    }

    private func chipForm(
        _ practice: UUID,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        _ problem: String? = nil,
        _ problems: [String: String] = [:]
    ) -> FormPage {
        let words = reader.words
        var chip = FormField(
            "chip",
            words.label(RecordProfile.animalID.label),
            .line,
            value: typed?["chip"] ?? "",
            problem: problems["chip"]
        )
        chip.isRequired = true
        return FormPage(
            heading: words["emergencyHeading"],
            lead: words["emergencyByChipLead", String(Journal.emergencyHours)],
            problem: problem,
            action: "/practices/\(practice.text)/emergency",
            cancel: "/practices/\(practice.text)/patients",
            submit: words["openEmergency"],
            fields: [chip, reason(words, typed, problems)],
            key: pages.key(typed),
            isGrave: true
        )
    }

    private func form(
        _ record: UUID,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        _ problem: String? = nil,
        _ problems: [String: String] = [:]
    ) -> FormPage {
        let words = reader.words
        return FormPage(
            heading: words["emergencyHeading"],
            lead: words["emergencyLead", String(Journal.emergencyHours)],
            problem: problem,
            action: "/records/\(record.text)/emergency",
            cancel: "/records",
            submit: words["openEmergency"],
            fields: [reason(words, typed, problems)],
            key: pages.key(typed),
            isGrave: true
        )
    }

    private func reason(_ words: Words, _ typed: PageForm?, _ problems: [String: String]) -> FormField {
        var reason = FormField(
            "reason",
            words["emergencyReason"],
            .paragraphs,
            value: typed?["reason"] ?? "",
            problem: problems["reason"]
        )
        reason.hint = words["hint.emergencyReason"]
        reason.isRequired = true
        return reason
    }
}
