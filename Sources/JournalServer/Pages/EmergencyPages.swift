import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages on which a caregiver opens the emergency view of a record and states the reason.
struct EmergencyPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("records/:record/emergency", ask)
        routes.post("records/:record/emergency", open)
        routes.get("practices/:practice/emergency", askForChip)
        routes.post("practices/:practice/emergency", openByChip)
    }

    /// Shows the form without reading the record: whether it exists and may be opened is evaluated when the form is
    /// sent.
    @Sendable private func ask(_ visit: PageVisit) async throws -> Response {
        let form = form(try visit.record(), visit.reader)
        return visit.response(form, form.heading)
    }

    @Sendable private func open(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let record = try visit.record()
        let typed = try await visit.form()
        var problems: [String: String] = [:]
        do {
            _ = try await journal.sharing.openEmergency(
                record,
                hours: Journal.Sharing.emergencyHours,
                visit.writer(typed, reason: typed["reason"])
            )
            return Pages.redirect(to: "/records/\(record.text)")
        } catch let error as JournalError where error.isOfTheForm {
            let form = form(record, reader, typed, reader.message(for: error, &problems), problems)
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    /// Asks for the number of a microchip; who may open the view is evaluated when the form is sent.
    @Sendable private func askForChip(_ visit: PageVisit) async throws -> Response {
        let (practice, caller) = (try visit.practice(), try visit.caller)
        // The read of no patient records the refusal of those who are no members.
        if try await journal.practices.practice(practice, caller).roles.isEmpty {
            _ = try await journal.patients.list(of: practice, caller)
        }
        let form = chipForm(practice, visit.reader)
        return visit.response(form, form.heading)
    }

    @Sendable private func openByChip(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let practice = try visit.practice()
        let typed = try await visit.form()
        var problems: [String: String] = [:]
        do {
            let opened = try await journal.sharing.openEmergency(
                chip: typed["chip"],
                in: practice,
                visit.writer(typed, reason: typed["reason"])
            )
            return Pages.redirect(to: "/records/\(opened.record.text)")
        } catch let error as JournalError where error.isOfTheForm || error.field == "chip" {
            let form = chipForm(practice, reader, typed, reader.message(for: error, &problems), problems)
            return visit.response(form, form.heading, status: .badRequest)
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
            lead: words["emergencyByChipLead", String(Journal.Sharing.emergencyHours)],
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
            lead: words["emergencyLead", String(Journal.Sharing.emergencyHours)],
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
