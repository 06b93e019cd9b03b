package import FoundationEssentials
package import HealthModel

/// The page of an account's settings: formats, password, sessions and tokens.
package struct SettingsPage: WebPage {
    package static let template = Template("settings")

    package let fields: [FormField]
    /// The profile and the preferences of the account; empty for an account that has none to set.
    package let accountFields: [FormField]
    package let accountProblem: String?
    package let hasAccountFields: Bool
    /// The subscription in words; nil without one.
    package let subscription: String?
    package let example: String
    package let passwordFields: [FormField]
    package let passwordProblem: String?
    package let hasPassword: Bool
    package let key: String
    package let sessions: [Session]
    package let tokens: [ShownToken]
    package let hasTokens: Bool
    /// Whether the account administers the journal, and so may manage other accounts.
    package let runsJournal: Bool

    package struct Session: Sendable {
        package let id: String
        package let description: String
        package let isThis: Bool
    }

    package struct ShownToken: Sendable {
        package let id: String
        package let scope: String
        package let description: String
        package let isValid: Bool
    }

    /// The state of the account, and the current session.
    package struct Account: Sendable {
        package var state: AccountState
        package var session: UUID?
        package var tokens: [(token: TokenState, used: Instant?)]
        package var lasting: LastingAccess
        package var runsJournal: Bool

        package init(
            _ state: AccountState,
            session: UUID?,
            tokens: [(token: TokenState, used: Instant?)],
            lasting: LastingAccess = LastingAccess(),
            runsJournal: Bool
        ) {
            (self.state, self.session, self.tokens, self.lasting) = (state, session, tokens, lasting)
            self.runsJournal = runsJournal
        }
    }

    package init(
        _ account: Account,
        fields: [FormField],
        typed: [String: String]? = nil,
        accountProblems: [String: String] = [:],
        passwordProblems: [String: String] = [:],
        key: String,
        now: Instant,
        _ reader: Reader
    ) {
        let words = reader.words
        self.fields = fields
        self.key = key
        accountFields = AccountForm(reader).fields(account.state, typed: typed, problems: accountProblems)
        accountProblem = accountProblems[""]
        hasAccountFields = account.state.kind != .tool
        subscription = account.state.subscription.map { subscription in
            [
                reader.choice(subscription.status.name), subscription.term.map { reader.choice($0.name) },
                subscription.trialEnd.map { words["subscriptionTrialEnd", reader.moment($0)] },
            ]
            .compactMap(\.self).joined(separator: " · ")
        }
        example =
            words[
                "settingsExample",
                reader.moment(now),
                reader.number(ExactDecimal(coefficient: 123_456_789, scale: 2))
            ]
        hasPassword = account.state.password != nil
        var current = FormField("current", words["currentPassword"], .password, problem: passwordProblems["current"])
        current.isRequired = true
        var new = FormField("password", words["newPassword"], .password, problem: passwordProblems["password"])
        new.isRequired = true
        new.hint = words["hint.password"]
        let revoked = FormField(revoking: account.lasting, problem: passwordProblems["revoke"], reader)
        passwordFields = (hasPassword ? [current, new] : [new]) + [revoked].compactMap(\.self)
        passwordProblem = passwordProblems[""]
        sessions = account.state.openSessions(at: now).reversed()
            .map { session in
                Session(
                    id: session.id.text,
                    description: words[
                        "sessionDescription",
                        reader.moment(session.begun.recordedAt),
                        reader.moment(session.expires)
                    ],
                    isThis: session.id == account.session
                )
            }
        tokens = account.tokens.reversed()
            .map { token, used in
                let issued = words["tokenIssued", reader.day(of: token.issued.recordedAt)]
                let ends =
                    token.revoked.map { words["tokenRevokedOn", reader.day(of: $0.recordedAt)] }
                    ?? token.expires.map { words["tokenUntil", reader.moment($0)] } ?? words["tokenWithoutEnd"]
                let last = used.map { words["tokenUsed", reader.day(of: $0)] } ?? words["tokenUnused"]
                return ShownToken(
                    id: token.id.text,
                    scope: token.scope.description,
                    description: [issued, ends, last].joined(separator: " · "),
                    isValid: token.isValid(at: now)
                )
            }
        hasTokens = !tokens.isEmpty
        runsJournal = account.runsJournal
    }
}
