import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for administrators: list accounts, add one, remove one, set another account's password, and revoke tokens.
struct AccountPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("accounts", query: ["done"], list)
        routes.get("accounts/new", new)
        routes.post("accounts/new", add)
        routes.get("accounts/:account/password", password)
        routes.post("accounts/:account/password", setPassword)
        routes.get("accounts/:account/remove", confirmRemoval)
        routes.post("accounts/:account/remove", remove)
        routes.post("accounts/:account/tokens/:token/revoke", revokeToken)
    }

    @Sendable private func list(_ visit: PageVisit) async throws -> Response {
        let caller = try visit.caller
        let accounts = try await journal.accounts.list(caller)
        func permitting(_ action: AccountAction) async throws -> Set<UUID> {
            var permitted: Set<UUID> = []
            for account in accounts where try await journal.access.may(action, ofAccount: account.id, caller) {
                permitted.insert(account.id)
            }
            return permitted
        }
        let reader = visit.reader
        let page = AccountsPage(
            accounts,
            own: caller.account,
            mayLetIn: try await permitting(.setPassword),
            mayIssueTo: try await permitting(.issueToken),
            mayRemove: try await permitting(.remove),
            now: journal.now,
            reader
        )
        return visit.response(page, reader.words["accounts"])
    }

    // MARK: - Adding an account

    @Sendable private func new(_ visit: PageVisit) async throws -> Response {
        try await journal.access.require(.administer(.manage), visit.caller)
        let form = try form(visit.caller, visit.reader)
        return visit.response(form, form.heading)
    }

    @Sendable private func add(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        do {
            let profile = AccountProfile(
                name: typed["name"].trimming(\.isWhitespace),
                email: typed["email"].trimming(\.isWhitespace),
                kind: try AccountKind(named: typed["kind"])
            )
            let password = typed["password"].isEmpty ? nil : typed["password"]
            let caller = try visit.writer(typed)
            _ = try await journal.accounts.addAccount(profile, password: password, current: typed["current"], caller)
            return Pages.redirect(to: "/accounts?done=accountAdded")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.field == "current" else { throw error }
            var problems: [String: String] = [:]
            let message = reader.message(for: error, &problems)
            // The form does not contain the typed password when it is shown again.
            if !typed["password"].isEmpty, problems["password"] == nil {
                problems["password"] = reader.words["typePasswordAgain"]
            }
            let form = try form(visit.caller, reader, typed, problems, message)
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    private func form(
        _ caller: Caller,
        _ reader: Reader,
        _ typed: PageForm? = nil,
        _ problems: [String: String] = [:],
        _ message: String? = nil
    ) throws -> FormPage {
        let words = reader.words
        var name = FormField("name", words["newName"], .line, value: typed?["name"] ?? "", problem: problems["name"])
        name.isRequired = true
        name.hint = words["hint.newName"]
        var kind = FormField("kind", words["accountKind"], .choice, problem: problems["kind"])
        kind.options = AccountKind.allCases.map { option in
            let isChosen = typed.map { $0["kind"] == option.name } ?? (option == .person)
            return FormOption(option.name, words["accountKind.\(option.name)"], isChosen: isChosen)
        }
        let problem = problems["password"] ?? problems["account"]
        var password = FormField("password", words["firstPassword"], .password, problem: problem)
        password.hint = words["hint.firstPassword"]
        let email = FormField("email", words["email"], .line, value: typed?["email"] ?? "", problem: problems["email"])
        return FormPage(
            heading: words["addAccountHeading"],
            lead: words["addAccountLead"],
            problem: message,
            action: "/accounts/new",
            cancel: "/accounts",
            submit: words["addAccount"],
            fields: [name, kind, password, email]
                + (try pages.confirmation(caller, reader, problems, isNeeded: false)),
            key: pages.key(typed)
        )
    }

    @Sendable private func revokeToken(_ visit: PageVisit) async throws -> Response {
        _ = try await visit.form()
        let caller = try visit.caller
        try await journal.access.require(.administer(.manage), caller)
        _ = try await journal.accounts.revokeToken(visit.token(), of: visit.account(), caller)
        return Pages.redirect(to: "/accounts?done=tokenRevoked")
    }

    // MARK: - Removing an account

    @Sendable private func confirmRemoval(_ visit: PageVisit) async throws -> Response {
        let form = try await removal(visit)
        return visit.response(form, form.heading)
    }

    @Sendable private func remove(_ visit: PageVisit) async throws -> Response {
        let account = try visit.account()
        return try await visit.confirmed(
            to: "/accounts?done=accountRemoved",
            asking: { try await removal(visit) },
            doing: { _, caller in _ = try await journal.accounts.removeAccount(account, caller) }
        )
    }

    private func removal(_ visit: PageVisit) async throws -> FormPage {
        let (account, caller) = (try visit.account(), try visit.caller)
        try await journal.access.require(.remove, ofAccount: account, caller)
        let reader = visit.reader
        return FormPage(
            heading: reader.words["removeAccountHeading", try journal.accounts.account(account).name],
            lead: reader.words["removeAccountLead"],
            action: "/accounts/\(account.text)/remove",
            cancel: "/accounts",
            submit: reader.words["removeAccount"],
            fields: [reader.reason()],
            key: pages.key(),
            isGrave: true
        )
    }

    // MARK: - Setting a password

    @Sendable private func password(_ visit: PageVisit) async throws -> Response {
        let (account, caller) = (try visit.account(), try visit.caller)
        try await journal.access.require(.administer(.manage), caller)
        if account == caller.account { return Pages.redirect(to: "/settings/sign-in") }
        try await journal.access.require(.setPassword, ofAccount: account, caller)
        let form = try await passwordForm(account, visit)
        return visit.response(form, form.heading)
    }

    @Sendable private func setPassword(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let (account, caller) = (try visit.account(), try visit.caller)
        do {
            _ = try await journal.accounts.setPassword(
                of: account,
                to: typed["password"],
                current: typed["current"],
                revoking: Revocation(parsing: typed.several("revoke")),
                caller
            )
            return Pages.redirect(to: "/accounts?done=passwordOfKept")
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm || error.field == "current" else { throw error }
            let problems = [error.field ?? "password": reader.words.sentence(error.text)]
            let form = try await passwordForm(account, visit, problems)
            return visit.response(form, form.heading, status: .badRequest)
        }
    }

    private func passwordForm(
        _ account: UUID,
        _ visit: PageVisit,
        _ problems: [String: String] = [:]
    ) async throws -> FormPage {
        let caller = try visit.caller
        let reader = visit.reader
        let words = reader.words
        let revoked = FormField(
            revoking: try await journal.accounts.lastingAccess(of: account, caller),
            problem: problems["revoke"],
            reader
        )
        var password = FormField("password", words["newPassword"], .password, problem: problems["password"])
        password.isRequired = true
        password.hint = words["hint.password"]
        return FormPage(
            heading: words["passwordOf", try journal.accounts.account(account).name],
            lead: words["passwordOfLead"],
            problem: reader.summary(problems),
            action: "/accounts/\(account.text)/password",
            cancel: "/accounts",
            submit: words["savePassword"],
            fields: [password] + [revoked].compactMap(\.self) + (try pages.confirmation(caller, reader, problems)),
            key: pages.key()
        )
    }
}
