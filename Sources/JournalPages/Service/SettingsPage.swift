package import FoundationEssentials
package import HealthModel

/// How somebody wants pages written, how they sign in, and where they are signed in.
package struct SettingsPage: WebPage {
    package static let template = "settings"

    package let fields: [FormField]
    package let example: String
    package let passwordFields: [FormField]
    package let passwordProblem: String?
    package let hasPassword: Bool
    package let key: String
    package let sessions: [Session]
    package let tokens: [ShownToken]
    package let hasTokens: Bool
    /// Whether the accounts of others are this one's business.
    package let runsJournal: Bool

    package struct Session: Sendable {
        package let id: String
        package let told: String
        package let isThis: Bool
    }

    package struct ShownToken: Sendable {
        package let id: String
        package let scope: String
        package let told: String
        package let isValid: Bool
    }

    /// What is known of the account, and which of its sessions is asking.
    package struct Account: Sendable {
        package var state: AccountState
        package var session: UUID?
        package var tokens: [(token: TokenState, used: Instant?)]
        package var runsJournal: Bool

        package init(
            _ state: AccountState,
            session: UUID?,
            tokens: [(token: TokenState, used: Instant?)],
            runsJournal: Bool
        ) {
            (self.state, self.session, self.tokens) = (state, session, tokens)
            self.runsJournal = runsJournal
        }
    }

    package init(
        _ account: Account,
        fields: [FormField],
        passwordProblems: [String: String] = [:],
        key: String,
        now: Instant,
        _ reader: Reader
    ) {
        let words = reader.words
        self.fields = fields
        self.key = key
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
        passwordFields = hasPassword ? [current, new] : [new]
        passwordProblem = passwordProblems[""]
        sessions = account.state.openSessions(at: now).reversed()
            .map { session in
                Session(
                    id: session.id.text,
                    told: words[
                        "sessionTold",
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
                    told: [issued, ends, last].joined(separator: " · "),
                    isValid: token.isValid(at: now)
                )
            }
        hasTokens = !tokens.isEmpty
        runsJournal = account.runsJournal
    }
}
