import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// Pages for users' own settings: formats, the profile, reminders, the password with the sessions, and tokens.
struct SettingsPages: PageGroup {
    let pages: Pages

    func add(to routes: PageRoutes) {
        routes.get("settings", query: ["done"]) { try await response(.display, $0) }
        routes.get("settings/profile", query: ["done"]) { try await response(.profile, $0) }
        routes.get("settings/reminders", query: ["done"]) { try await response(.reminders, $0) }
        routes.get("settings/sign-in", query: ["done"]) { try await response(.signIn, $0) }
        routes.get("settings/programs", query: ["done"]) { try await response(.programs, $0) }
        routes.post("settings", keep)
        routes.post("settings/profile", keepProfile)
        routes.post("settings/reminders", keepReminders)
        routes.post("settings/password", setPassword)
        routes.post("settings/sessions/:session/end", endSession)
        routes.post("settings/tokens/:token/revoke", revokeToken)
    }

    /// Returns a page of the settings; that of a form shows what was typed and the problems, the one of the whole form
    /// without a name.
    private func response(
        _ part: SettingsPage.Part,
        _ visit: PageVisit,
        typed: PageForm? = nil,
        problems: [String: String] = [:],
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let reader = visit.reader
        let caller = try visit.caller
        let state = try journal.accounts.account(caller.account)
        let visitor = SettingsPage.Visitor(
            state,
            session: caller.session,
            runsJournal: try journal.access.may(.administer(.manage), caller)
        )
        let page =
            switch part {
            case .display: SettingsPage(part, display(state, visit), visitor, reader)
            case .profile: SettingsPage(part, profile(state, typed, problems, reader), visitor, reader)
            case .reminders: SettingsPage(part, reminders(state, typed, problems, reader), visitor, reader)
            case .signIn:
                SettingsPage.signIn(
                    visitor,
                    lasting: try await journal.accounts.lastingAccess(of: caller.account, caller),
                    problems: problems,
                    now: journal.now,
                    reader
                )
            case .programs:
                SettingsPage.programs(
                    visitor,
                    try await journal.accounts.tokens(of: caller.account, caller)
                        .map { ($0, journal.accounts.lastUse(of: $0)) },
                    now: journal.now,
                    reader
                )
            }
        return visit.response(page, part.label(reader.words), status: status)
    }

    // MARK: - Language and formats

    @Sendable private func keep(_ visit: PageVisit) async throws -> Response {
        let typed = try await visit.form()
        let caller = try visit.caller
        var settings = ReaderSettings(visit.request)
        settings.locale = typed["locale"].isEmpty ? nil : typed["locale"]
        settings.zone = typed["zone"].isEmpty ? nil : typed["zone"]
        settings.weightUnit = typed["weightUnit"].isEmpty ? nil : typed["weightUnit"]
        try settings.check()
        let isOnlyHere = try typed["onlyHere"] == "true" || journal.accounts.account(caller.account).kind == .tool
        if !isOnlyHere {
            var preferences = try await journal.accounts.preferences(caller)
            (preferences.language, preferences.timeZone) = (settings.locale ?? "", settings.zone ?? "")
            _ = try await journal.accounts.setPreferences(preferences, caller)
            // What was only for this browser would take precedence.
            (settings.locale, settings.zone) = (nil, nil)
        }
        var response = Pages.redirect(to: "/settings?done=\(isOnlyHere ? "settingsKept" : "accountKept")")
        response.headers[.setCookie] = settings.setting(isSecure: pages.cookie.isSecure)
        return response
    }

    private func display(_ account: AccountState, _ visit: PageVisit) -> SettingsPage.Form {
        let reader = visit.reader
        let settings = ReaderSettings(visit.request)
        return SettingsPage.Form(
            heading: SettingsPage.Part.display.label(reader.words),
            hint: reader.words[
                "settingsExample",
                reader.moment(journal.now),
                reader.number(ExactDecimal(coefficient: 123_456_789, scale: 2))
            ],
            action: "/settings",
            fields: fields(settings, account, reader),
            submit: reader.words["save"]
        )
    }

    // MARK: - Profile and preferences

    private func profile(
        _ account: AccountState,
        _ typed: PageForm?,
        _ problems: [String: String],
        _ reader: Reader
    ) -> SettingsPage.Form {
        SettingsPage.Form(
            heading: SettingsPage.Part.profile.label(reader.words),
            hint: account.subscription.map { reader.words["subscriptionOfAccount"] + " " + reader.text(of: $0) },
            action: SettingsPage.Part.profile.address,
            fields: AccountForm(reader).fields(account.details, typed: typed?.values, problems: problems),
            problem: problems[""],
            submit: reader.words["save"]
        )
    }

    private func reminders(
        _ account: AccountState,
        _ typed: PageForm?,
        _ problems: [String: String],
        _ reader: Reader
    ) -> SettingsPage.Form {
        SettingsPage.Form(
            heading: reader.words["whenReminded"],
            action: SettingsPage.Part.reminders.address,
            fields: AccountForm(reader).fields(account.preferences, typed: typed?.values, problems: problems),
            problem: problems[""],
            submit: reader.words["save"]
        )
    }

    @Sendable private func keepProfile(_ visit: PageVisit) async throws -> Response {
        try await keep(.profile, visit) { typed, problems in
            let caller = try visit.caller
            let stored = try await journal.accounts.details(caller)
            let details = AccountForm(visit.reader).read(typed, over: stored, &problems)
            if problems.isEmpty { _ = try await journal.accounts.setDetails(details, caller) }
        }
    }

    @Sendable private func keepReminders(_ visit: PageVisit) async throws -> Response {
        try await keep(.reminders, visit) { typed, problems in
            let caller = try visit.caller
            let stored = try await journal.accounts.preferences(caller)
            let preferences = AccountForm(visit.reader).read(typed, over: stored, &problems)
            if problems.isEmpty { _ = try await journal.accounts.setPreferences(preferences, caller) }
        }
    }

    /// Reads and stores what was typed in a form of the account, or shows the form again with its problems.
    private func keep(
        _ part: SettingsPage.Part,
        _ visit: PageVisit,
        _ store: (_ typed: [String: String], _ problems: inout [String: String]) async throws -> Void
    ) async throws -> Response {
        let reader = visit.reader
        let typed = try await visit.form()
        var problems: [String: String] = [:]
        do {
            try await store(typed.values, &problems)
        } catch {
            let error = JournalError(error)
            guard error.isOfTheForm else { throw error }
            if let problem = reader.message(for: error, &problems) { problems[""] = problem }
        }
        if problems.isEmpty { return Pages.redirect(to: "\(part.address)?done=accountKept") }
        if problems[""] == nil { problems[""] = reader.summary(problems) }
        return try await response(part, visit, typed: typed, problems: problems, status: .badRequest)
    }

    /// Returns the fields with what counts in this browser: its own settings, or else those of the account.
    private func fields(_ settings: ReaderSettings, _ account: AccountState, _ reader: Reader) -> [FormField] {
        let words = reader.words
        func preferred(_ text: String) -> String? { text.isEmpty ? nil : text }
        let language = settings.locale ?? preferred(account.preferences.language)
        let timeZone = settings.zone ?? preferred(account.preferences.timeZone)
        func choice(_ name: String, _ value: String?, _ none: String, _ options: [(String, String)]) -> FormField {
            var field = FormField(name, words[name], .choice)
            field.options =
                [FormOption("", none, isChosen: value == nil)]
                + options.map { FormOption($0, $1, isChosen: $0 == value) }
            return field
        }
        var locale = choice("locale", language, words["localeBrowser"], locales(with: language))
        let names = pages.languages.all.map { $0["languageName"] }
        locale.hint = words["hint.locale", names.joined(separator: ", ")]
        var unit = choice(
            "weightUnit",
            settings.weightUnit,
            words["unitAsRead"],
            Weight.shownUnits.map { ($0, reader.choice($0)) }
        )
        unit.hint = words["hint.weightUnit"]
        var fields = [
            locale,
            choice(
                "zone",
                timeZone,
                words["zoneJournal", journal.zone.label],
                TimeZone.knownTimeZoneIdentifiers.sorted().map { ($0, $0.replacing("_", with: " ")) }
            ),
        ]
        if account.kind != .tool {
            let isOnlyHere = settings.locale != nil || settings.zone != nil
            var onlyHere = FormField("onlyHere", words["onlyHere"], .flag, value: isOnlyHere ? "true" : "")
            onlyHere.hint = words["hint.onlyHere"]
            fields.append(onlyHere)
        }
        return fields + [unit]
    }

    /// The locales that the form offers, named in their own languages; the browser's own setting can be any other.
    private static let usualLocales = [
        "de-AT", "de-CH", "de-DE", "en-AU", "en-CA", "en-GB", "en-IE", "en-NZ", "en-US", "es-ES", "es-MX", "fr-CH",
        "fr-FR", "it-CH", "it-IT", "ja-JP", "nl-NL", "pl-PL", "pt-BR", "sv-SE", "tr-TR", "vi-VN",
    ]

    /// The locales that the form offers: the usual ones, the languages that were added to the journal, and the chosen one.
    private func locales(with chosen: String?) -> [(String, String)] {
        let added = pages.languages.all.map(\.tag)
            .filter { tag in
                !SettingsPages.usualLocales.contains { $0 == tag || $0.hasPrefix("\(tag)-") }
            }
        let other = [chosen].compactMap(\.self).filter { !(added + SettingsPages.usualLocales).contains($0) }
        return (other + added + SettingsPages.usualLocales)
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
            return Pages.redirect(to: "/settings/sign-in?done=passwordKept")
        } catch let error as JournalError where [.invalid, .refused, .busy].contains(error.code) {
            let problems = [error.field ?? "": reader.words.sentence(error.text)]
            return try await response(.signIn, visit, problems: problems, status: Problem(error).status)
        }
    }

    @Sendable private func endSession(_ visit: PageVisit) async throws -> Response {
        _ = try await visit.form()
        let caller = try visit.caller
        _ = try await journal.accounts.endSession(visit.session(), of: caller.account, caller)
        return Pages.redirect(to: "/settings/sign-in?done=sessionEnded")
    }

    @Sendable private func revokeToken(_ visit: PageVisit) async throws -> Response {
        _ = try await visit.form()
        let caller = try visit.caller
        _ = try await journal.accounts.revokeToken(visit.token(), of: caller.account, caller)
        return Pages.redirect(to: "/settings/programs?done=tokenRevoked")
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
