import Foundation
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

extension Pages {
    /// What was done, for the page that comes behind it.
    ///
    /// The address names one of a few texts, and says nothing itself.
    func notice(_ query: Query) -> String? {
        query["done"].flatMap { Pages.notices.contains($0) ? words[$0] : nil }
    }

    private static let notices: Set<String> = [
        "added", "changed", "unchanged", "retractedNow", "restoredNow", "recordMade", "recordClosedNow", "revokedNow",
        "withdrawnNow", "accepted", "signedOut", "settingsKept", "passwordKept", "sessionEnded", "tokenRevoked",
        "imported", "accountAdded", "passwordOfKept",
    ]

    /// The field in which somebody says why.
    func reason(_ typed: PageForm? = nil, _ problems: [String: String] = [:]) -> FormField {
        var field = FormField(
            "reason",
            words["reason"],
            .paragraphs,
            value: typed?["reason"] ?? "",
            problem: problems["reason"]
        )
        field.hint = words["hint.reason"]
        return field
    }

    /// The field in which somebody shows once more that it is them, where they have a password.
    func confirmation(_ caller: Caller, _ problems: [String: String]) throws -> [FormField] {
        guard try journal.account(caller.account).password != nil else { return [] }
        var field = FormField("current", words["confirmPassword"], .password, problem: problems["current"])
        field.hint = words["hint.confirmPassword"]
        field.isRequired = true
        return [field]
    }

    /// Does what a form was for that asks for nothing but a reason; where that is at fault, the form is shown again.
    func confirmed(
        _ request: Request,
        _ context: ServerContext,
        to address: String,
        asking form: () async throws -> FormPage,
        doing change: (PageForm, Caller) async throws -> Void
    ) async throws -> Response {
        let typed = try await request.pageForm()
        do {
            try await change(typed, context.writer(typed, request, reason: typed["reason"]))
            return Pages.redirect(to: address)
        } catch {
            let error = JournalError(error)
            guard error.code == .invalid else { throw error }
            var problems: [String: String] = [:]
            var form = try await form()
            form.problem = told(error, &problems)
            form.fields = [reason(typed, problems)]
            form.key = key(typed)
            return response(form, form.heading, request, context, status: .badRequest)
        }
    }

    /// By which a form is known when it is sent twice.
    func key(_ typed: PageForm? = nil) -> String {
        typed.flatMap { UUID(uuidString: $0["key"])?.text } ?? UUID().text
    }

    /// What is wrong with all of a form: where to look.
    func summary(_ problems: [String: String]) -> String? {
        problems.isEmpty ? nil : words.count(problems.count, "fieldsWrong", String(problems.count))
    }

    /// Puts an error at the field that it names; what it says of the form as a whole.
    func told(_ error: JournalError, _ problems: inout [String: String]) -> String? {
        let text = Sentence(error.message).text
        guard error.code != .stale, let field = error.field else { return text }
        problems[field] = text
        return summary(problems)
    }
}

extension JournalError {
    /// Whether whoever sent the form can mend it there.
    var isOfTheForm: Bool { [.invalid, .conflict, .stale].contains(code) }
}
