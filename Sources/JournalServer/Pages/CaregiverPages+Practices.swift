import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The page on which an owner gives a practice access to a record.
extension CaregiverPages {
    @Sendable func newPractice(_ visit: PageVisit) async throws -> Response {
        let form = try await practiceForm(visit, chosen: visit.query["practice"])
        return visit.response(form, form.heading)
    }

    @Sendable func grantPractice(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let record = try visit.record()
        var problems: [String: String] = [:]
        var message: String?
        var terms = GrantTerms.ofPractice
        do {
            if !typed["until"].isEmpty { terms.until = try Day(parsing: typed["until"]) }
        } catch {
            problems["until"] = reader.words.sentence(error.text)
        }
        if UUID(uuidString: typed["practice"]) == nil { problems["practice"] = reader.words["choosePractice"] }
        if problems.isEmpty, let practice = UUID(uuidString: typed["practice"]) {
            do {
                let caller = try visit.writer(typed, reason: typed["reason"])
                _ = try await pages.journal.sharing.grant(terms, to: practice, on: record, caller)
                return Pages.redirect(to: "/records/\(record.text)/caregivers?done=practiceGranted")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        let form = try await practiceForm(visit, chosen: typed["practice"], typed, problems, message)
        return visit.response(form, form.heading, status: .badRequest)
    }

    private func practiceForm(
        _ visit: PageVisit,
        chosen: String?,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) async throws -> FormPage {
        let (record, caller) = (try visit.record(), try visit.caller)
        let reader = visit.reader
        let words = reader.words
        try await pages.journal.access.require(.manage, on: record, caller)
        let head = try await visit.frame(record, at: .caregivers)
        let practices = try await pages.journal.practices.list(caller).filter { $0.practice.closed == nil }
        let only = practices.count == 1 ? practices[0].practice.id.text : ""
        var choice = FormField("practice", words["practice"], .choice, problem: problems["practice"])
        choice.isRequired = true
        choice.options = [FormOption("", words["notSaid"], isChosen: (chosen ?? only).isEmpty)]
        for answer in practices {
            let id = answer.practice.id.text
            choice.options?.append(FormOption(id, answer.practice.profile.name, isChosen: id == chosen ?? only))
        }
        var until = FormField("until", words["until"], .day, value: typed?["until"] ?? "", problem: problems["until"])
        until.hint = words["hint.practiceUntil"]
        return FormPage(
            head,
            heading: words["practiceAccessHeading"],
            lead: words["practiceAccessLead"],
            problem: message ?? reader.summary(problems),
            action: "\(head.address)/caregivers/practice",
            cancel: "\(head.address)/caregivers",
            submit: words["giveAccess"],
            fields: [choice, until, reader.reason(typed, problems)],
            key: pages.key(typed)
        )
    }
}
