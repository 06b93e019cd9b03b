import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages that issue tokens for programs: to the user's own account or, for administrators, to another account.
struct TokenPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        for path: RouterPath in ["settings/tokens/new", "accounts/:account/tokens/new"] {
            routes.get(path, new)
            routes.post(path, issue)
        }
    }

    @Sendable private func new(_ visit: PageVisit) async throws -> Response {
        let account = try await account(visit)
        try await journal.access.require(.issueToken, ofAccount: account, visit.caller)
        let form = try form(account, visit)
        return visit.response(form, form.heading)
    }

    @Sendable private func issue(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let account = try await account(visit)
        do {
            let issued = try await journal.accounts.issueToken(
                to: account,
                scope: scope(typed),
                expires: end(typed["expires"]),
                current: typed["current"],
                visit.writer(typed)
            )
            let page = TokenPage(secret: issued.secret, done: TokenPages.overview(visit))
            return visit.response(page, reader.words["tokenMade"])
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.field == "current" else { throw error }
            var problems: [String: String] = [:]
            let message = reader.message(for: error, &problems)
            let form = try form(account, visit, typed, problems, message)
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    /// Returns the account that the address names; in the settings, the caller's own.
    private func account(_ visit: PageVisit) async throws -> UUID {
        let caller = try visit.caller
        if TokenPages.isOwn(visit) { return caller.account }
        try await journal.access.require(.administer(.manage), caller)
        return try visit.account()
    }

    private static func isOwn(_ visit: PageVisit) -> Bool { visit.parameters.get("account") == nil }

    private static func overview(_ visit: PageVisit) -> String { isOwn(visit) ? "/settings/programs" : "/accounts" }

    private func scope(_ typed: PageForm) throws -> TokenScope {
        let category = typed["tokenCategory"].trimming(\.isWhitespace)
        let scope = try TokenScope(parsing: typed["scope"])
        guard scope.definition.takesCategory, !category.isEmpty else { return scope }
        do {
            return try TokenScope(parsing: "\(scope):\(category)")
        } catch {
            throw JournalError(.invalid, field: "tokenCategory", "must consist of letters, digits and . - _ /")
        }
    }

    /// Parses the day of expiry; the token is valid until the end of that day.
    private func end(_ day: String) throws -> Instant? {
        guard !day.isEmpty else { return nil }
        do {
            return try Day(parsing: day).end(in: journal.zone)
        } catch {
            throw JournalError(.invalid, field: "expires", error.text)
        }
    }

    private func form(
        _ account: UUID,
        _ visit: PageVisit,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) throws -> FormPage {
        let reader = visit.reader
        let words = reader.words
        let state = try journal.accounts.account(account)
        var scope = FormField("scope", words["scope"], .choice, problem: problems["scope"])
        scope.options = TokenScope.all(for: state.kind)
            .map { FormOption("\($0)", words.label($0.definition.label), isChosen: typed?["scope"] == "\($0)") }
        func field(_ name: String, _ input: FormField.Input) -> FormField {
            var field = FormField(name, words[name], input, value: typed?[name] ?? "", problem: problems[name])
            field.hint = words[name == "expires" ? "hint.tokenExpires" : "hint.\(name)"]
            return field
        }
        return FormPage(
            heading: words["newTokenHeading", state.name],
            lead: words["newTokenLead"],
            problem: message,
            action: visit.request.uri.path,
            cancel: TokenPages.overview(visit),
            submit: words["makeToken"],
            fields: [scope, field("tokenCategory", .line), field("expires", .day)]
                + (try pages.confirmation(visit.caller, reader, problems)),
            key: pages.key(typed)
        )
    }
}
