import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages that issue tokens for programs: to the user's own account or, for administrators, to another account.
struct TokenPages {
    let pages: Pages
    private var journal: Journal { pages.journal }

    init(_ pages: Pages) {
        self.pages = pages
    }

    func add(to group: RouterGroup<ServerContext>) {
        for path: RouterPath in ["settings/tokens/new", "accounts/:account/tokens/new"] {
            group.get(path, use: new)
            group.post(path, use: issue)
        }
    }

    @Sendable private func new(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let account = try await account(context)
        try await journal.require(.issueToken, ofAccount: account, context.requireCaller())
        let form = try form(account, request, context)
        return pages.response(form, form.heading, request, context)
    }

    @Sendable private func issue(_ request: Request, _ context: ServerContext) async throws -> Response {
        let reader = pages.reader(request, context)
        let typed = try await request.pageForm()
        let account = try await account(context)
        do {
            let issued = try await journal.issueToken(
                to: account,
                scope: scope(typed),
                expires: end(typed["expires"]),
                current: typed["current"],
                context.writer(typed, request)
            )
            let page = TokenPage(secret: issued.secret, done: TokenPages.overview(context))
            return pages.response(page, reader.words["tokenMade"], request, context)
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.field == "current" else { throw error }
            var problems: [String: String] = [:]
            let message = reader.message(for: error, &problems)
            let form = try form(account, request, context, typed, problems, message)
            return pages.response(form, form.heading, request, context, status: .badRequest)
        }
    }

    /// Returns the account that the address names; in the settings, the caller's own.
    private func account(_ context: ServerContext) async throws -> UUID {
        let caller = try context.requireCaller()
        if TokenPages.isOwn(context) { return caller.account }
        try await journal.require(.administer(.manage), caller)
        return try context.account()
    }

    private static func isOwn(_ context: ServerContext) -> Bool { context.parameters.get("account") == nil }

    private static func overview(_ context: ServerContext) -> String { isOwn(context) ? "/settings" : "/accounts" }

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
        _ request: Request,
        _ context: ServerContext,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) throws -> FormPage {
        let reader = pages.reader(request, context)
        let words = reader.words
        let state = try journal.account(account)
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
            action: request.uri.path,
            cancel: TokenPages.overview(context),
            submit: words["makeToken"],
            fields: [scope, field("tokenCategory", .line), field("expires", .day)]
                + (try pages.confirmation(context.requireCaller(), reader, problems)),
            key: pages.key(typed)
        )
    }
}
