import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The page on which an owner gives a practice access to a record.
extension CaregiverPages {
    @Sendable func newPractice(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["practice"])
        let form = try await practiceForm(request, context, chosen: query["practice"])
        return pages.response(form, form.heading, request, context)
    }

    @Sendable func grantPractice(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        _ = try Query(request, [])
        let typed = try await request.pageForm()
        let record = try context.record()
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
                let caller = try context.writer(typed, request, reason: typed["reason"])
                _ = try await pages.journal.grant(terms, to: practice, on: record, caller)
                return Pages.redirect(to: "/records/\(record.text)/caregivers?done=practiceGranted")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                message = reader.message(for: error, &problems)
            }
        }
        let form = try await practiceForm(request, context, chosen: typed["practice"], typed, problems, message)
        return pages.response(form, form.heading, request, context, status: .badRequest)
    }

    private func practiceForm(
        _ request: Request,
        _ context: ServerContext,
        chosen: String?,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) async throws -> FormPage {
        let (record, caller) = (try context.record(), try context.requireCaller())
        let reader = pages.reader(request, context)
        let words = reader.words
        try await pages.journal.require(.manage, on: record, caller)
        let head = try await pages.frame(record, at: .caregivers, reader, context)
        let practices = try await pages.journal.practices(caller).filter { $0.practice.closed == nil }
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
