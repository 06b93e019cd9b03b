import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for users' own settings: formatting, the password, sessions and tokens.
struct SettingsPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("settings", query: ["done"], show)
        routes.post("settings", keep)
        routes.post("settings/account", keepAccount)
        routes.post("settings/password", setPassword)
        routes.post("settings/sessions/:session/end", endSession)
        routes.post("settings/tokens/:token/revoke", revokeToken)
    }

    @Sendable private func show(_ visit: PageVisit) async throws -> Response {
        try await response(visit)
    }

    private func response(
        _ visit: PageVisit,
        typed: PageForm? = nil,
        accountProblems: [String: String] = [:],
        problems: [String: String] = [:],
        status: HTTPResponse.Status = .ok,
        notice: PageFrame.Notice? = nil
    ) async throws -> Response {
        let reader = visit.reader
        let caller = try visit.caller
        let tokens = try await journal.accounts.tokens(of: caller.account, caller)
        let page = SettingsPage(
            SettingsPage.Account(
                try journal.accounts.account(caller.account),
                session: caller.session,
                tokens: tokens.map { ($0, journal.accounts.lastUse(of: $0)) },
                lasting: try await journal.accounts.lastingAccess(of: caller.account, caller),
                runsJournal: try journal.access.may(.administer(.manage), caller)
            ),
            fields: fields(ReaderSettings(visit.request), reader),
            typed: typed?.values,
            accountProblems: accountProblems,
            passwordProblems: problems,
            key: pages.key(),
            now: journal.now,
            reader
        )
        return visit.response(page, reader.words["settings"], status: status, notice: notice)
    }

    // MARK: - Formatting

    @Sendable private func keep(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        var settings = ReaderSettings(visit.request)
        settings.locale = typed["locale"].isEmpty ? nil : typed["locale"]
        settings.zone = typed["zone"].isEmpty ? nil : typed["zone"]
        settings.weightUnit = typed["weightUnit"].isEmpty ? nil : typed["weightUnit"]
        try settings.check()
        var response = Pages.redirect(to: "/settings?done=settingsKept")
        response.headers[.setCookie] = settings.setting(isSecure: pages.cookie.isSecure)
        return response
    }

    // MARK: - Profile and preferences

    @Sendable private func keepAccount(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        let caller = try visit.caller
        let form = AccountForm(visit.reader)
        let (details, preferences) = (
            try await journal.accounts.details(caller), try await journal.accounts.preferences(caller)
        )
        var problems: [String: String] = [:]
        let newDetails = form.read(typed.values, over: details, &problems)
        let newPreferences = form.read(typed.values, over: preferences, &problems)
        if problems.isEmpty {
            do {
                // First what can be refused for its zone, so that a refused form changes nothing else.
                try newDetails.validate(now: journal.now)
                _ = try await journal.accounts.setPreferences(newPreferences, caller)
                _ = try await journal.accounts.setDetails(newDetails, caller)
                return Pages.redirect(to: "/settings?done=accountKept")
            } catch {
                let error = JournalError(error)
                guard error.isOfTheForm else { throw error }
                if let problem = reader.message(for: error, &problems) { problems[""] = problem }
            }
        }
        if problems[""] == nil { problems[""] = reader.summary(problems) }
        return try await response(visit, typed: typed, accountProblems: problems, status: .badRequest)
    }

    private func fields(_ settings: ReaderSettings, _ reader: Reader) -> [FormField] {
        let words = reader.words
        func choice(_ name: String, _ value: String?, _ none: String, _ options: [(String, String)]) -> FormField {
            var field = FormField(name, words[name], .choice)
            field.options =
                [FormOption("", none, isChosen: value == nil)]
                + options.map { FormOption($0, $1, isChosen: $0 == value) }
            return field
        }
        var locale = choice("locale", settings.locale, words["localeBrowser"], locales)
        let names = pages.languages.all.map { $0["languageName"] }
        locale.hint = words["hint.locale", names.joined(separator: ", ")]
        return [
            locale,
            choice(
                "zone",
                settings.zone,
                words["zoneJournal", journal.zone.label],
                TimeZone.knownTimeZoneIdentifiers.sorted().map { ($0, $0.replacing("_", with: " ")) }
            ),
            choice(
                "weightUnit",
                settings.weightUnit,
                words["unitAsRead"],
                Weight.shownUnits.map { ($0, reader.choice($0)) }
            ),
        ]
    }

    /// The locales that the form offers, named in their own languages; the browser's own setting can be any other.
    private static let usualLocales = [
        "de-AT", "de-CH", "de-DE", "en-AU", "en-CA", "en-GB", "en-IE", "en-NZ", "en-US", "es-ES", "es-MX", "fr-CH",
        "fr-FR", "it-CH", "it-IT", "ja-JP", "nl-NL", "pl-PL", "pt-BR", "sv-SE", "tr-TR", "vi-VN",
    ]

    /// The locales that the form offers, with the languages that were added to the journal.
    private var locales: [(String, String)] {
        let added = pages.languages.all.map(\.tag)
            .filter { tag in
                !SettingsPages.usualLocales.contains { $0 == tag || $0.hasPrefix("\(tag)-") }
            }
        return (added + SettingsPages.usualLocales)
            .map { tag in (tag, Locale(identifier: tag).localizedString(forIdentifier: tag) ?? tag) }
    }

    // MARK: - Password, sessions and tokens

    @Sendable private func setPassword(_ visit: PageVisit) async throws -> Response {
        let reader = visit.reader
        do {
            let typed = try await visit.form()
            let caller = try visit.caller
            _ = try await journal.accounts.setPassword(
                of: caller.account,
                to: typed["password"],
                current: typed.values["current"],
                revoking: Revocation(parsing: typed.several("revoke")),
                caller
            )
            return Pages.redirect(to: "/settings?done=passwordKept")
        } catch let error as JournalError where [.invalid, .refused, .busy].contains(error.code) {
            let problems = [error.field ?? "": reader.words.sentence(error.text)]
            return try await response(visit, problems: problems, status: Problem(error).status)
        }
    }

    @Sendable private func endSession(_ visit: PageVisit) async throws -> Response {
        _ = try await visit.form()
        let caller = try visit.caller
        _ = try await journal.accounts.endSession(visit.session(), of: caller.account, caller)
        return Pages.redirect(to: "/settings?done=sessionEnded")
    }

    @Sendable private func revokeToken(_ visit: PageVisit) async throws -> Response {
        _ = try await visit.form()
        let caller = try visit.caller
        _ = try await journal.accounts.revokeToken(visit.token(), of: caller.account, caller)
        return Pages.redirect(to: "/settings?done=tokenRevoked")
    }
}

extension ReaderSettings {
    /// Rejects invalid values; the request need not come from the form.
    fileprivate func check() throws {
        if let locale, !Languages.isTag(locale) {
            throw JournalError(.invalid, field: "locale", "is not a known language")
        }
        if let zone, !TimeZone.knownTimeZoneIdentifiers.contains(zone) {
            throw JournalError(.invalid, field: "zone", "is not a known time zone")
        }
        if let weightUnit, !Weight.shownUnits.contains(weightUnit) {
            let units = Weight.shownUnits.joined(separator: ", ")
            throw JournalError(.invalid, field: "weightUnit", "must be one of \(units)")
        }
    }
}
