package import FoundationEssentials
package import HealthModel

/// One of the pages of an account's settings, which tabs lead to.
package struct SettingsPage: WebPage {
    package static let template = Template("settings")

    let tabs: [Tab]
    let form: Form?
    /// Whether the page leads to where reminders are sent.
    let leadsToChannels: Bool
    let sessions: Sessions?
    let tokens: Tokens?
    package let isRefused: Bool

    /// What a page is about, in the order of the tabs.
    package enum Part: String, CaseIterable, Sendable {
        case display, profile, reminders, signIn, programs

        package var address: String {
            switch self {
            case .display: "/settings"
            case .signIn: "/settings/sign-in"
            case .profile, .reminders, .programs: "/settings/\(rawValue)"
            }
        }

        package func label(_ words: Words) -> String { words["settings.\(rawValue)"] }
    }

    struct Tab: Sendable {
        let address: String
        let label: String
        let isCurrent: Bool
    }

    package struct Form: Sendable {
        let heading: String
        let hint: String?
        let action: String
        let fields: [FormField]
        let submit: String
        let refusal: FormRefusal?

        package init(
            heading: String,
            hint: String? = nil,
            action: String,
            fields: [FormField],
            problem: String? = nil,
            submit: String
        ) {
            (self.heading, self.hint, self.action) = (heading, hint, action)
            (self.fields, self.submit) = (fields, submit)
            refusal = FormRefusal(problem, fields)
        }
    }

    struct Sessions: Sendable {
        let all: [Session]
    }

    struct Session: Sendable {
        let id: String
        let description: String
        let isThis: Bool
    }

    struct Tokens: Sendable {
        let all: [ShownToken]
        let hasTokens: Bool
    }

    struct ShownToken: Sendable {
        let id: String
        let scope: String
        let description: String
        let isValid: Bool
    }

    private init(
        _ part: Part,
        _ form: Form?,
        _ visitor: Visitor,
        sessions: Sessions? = nil,
        tokens: Tokens? = nil,
        _ reader: Reader
    ) {
        let parts = Part.allCases.filter { !$0.isOfHolder || visitor.state.kind != .tool }
        let accounts =
            visitor.runsJournal ? [Tab(address: "/accounts", label: reader.words["accounts"], isCurrent: false)] : []
        tabs =
            parts.map { Tab(address: $0.address, label: $0.label(reader.words), isCurrent: $0 == part) } + accounts
        self.form = form
        leadsToChannels = part == .reminders
        (self.sessions, self.tokens) = (sessions, tokens)
        isRefused = form?.refusal != nil
    }

    /// Whose settings are shown.
    package struct Visitor: Sendable {
        package let state: AccountState
        /// The session in which the page is read.
        package let session: UUID?
        /// Whether the account administers the journal, and so may manage other accounts.
        package let runsJournal: Bool

        package init(_ state: AccountState, session: UUID?, runsJournal: Bool) {
            (self.state, self.session, self.runsJournal) = (state, session, runsJournal)
        }
    }
}

extension SettingsPage.Part {
    /// Whether the page is about the person who has the account, and not for programs.
    fileprivate var isOfHolder: Bool { self == .profile || self == .reminders }
}

extension SettingsPage {
    /// Creates a page with a form only.
    package init(_ part: Part, _ form: Form, _ visitor: Visitor, _ reader: Reader) {
        self.init(part, form, visitor, sessions: nil, reader)
    }

    /// Creates the page of the password and of the open sessions; `lasting` is what a new password can revoke.
    package static func signIn(
        _ visitor: Visitor,
        lasting: LastingAccess,
        problems: [String: String],
        now: Instant,
        _ reader: Reader
    ) -> SettingsPage {
        let words = reader.words
        let hasPassword = visitor.state.password != nil
        var current = FormField("current", words["currentPassword"], .password, problem: problems["current"])
        current.isRequired = true
        var new = FormField("password", words["newPassword"], .password, problem: problems["password"])
        new.isRequired = true
        new.hint = words["hint.password"]
        let revoked = FormField(revoking: lasting, problem: problems["revoke"], reader)
        let form = Form(
            heading: words[hasPassword ? "changePassword" : "setPassword"],
            hint: hasPassword ? nil : words["noPasswordHint"],
            action: "/settings/password",
            fields: (hasPassword ? [current, new] : [new]) + [revoked].compactMap(\.self),
            problem: problems[""],
            submit: words["savePassword"]
        )
        let sessions = visitor.state.openSessions(at: now).reversed()
            .map { session in
                Session(
                    id: session.id.text,
                    description: words[
                        "sessionDescription",
                        reader.moment(session.begun.recordedAt),
                        reader.moment(session.expires)
                    ],
                    isThis: session.id == visitor.session
                )
            }
        return SettingsPage(.signIn, form, visitor, sessions: Sessions(all: sessions), reader)
    }

    /// Creates the page of the tokens for programs, with when each was last used.
    package static func programs(
        _ visitor: Visitor,
        _ tokens: [(token: TokenState, used: Instant?)],
        now: Instant,
        _ reader: Reader
    ) -> SettingsPage {
        let words = reader.words
        let shown = tokens.reversed()
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
        return SettingsPage(.programs, nil, visitor, tokens: Tokens(all: shown, hasTokens: !shown.isEmpty), reader)
    }
}

extension Reader {
    /// A subscription in words: its status, its term, and the end of a trial.
    package func text(of subscription: Subscription) -> String {
        [
            choice(subscription.status.name), subscription.term.map { choice($0.name) },
            subscription.trialEnd.map { words["subscriptionTrialEnd", moment($0)] },
        ]
        .compactMap(\.self).joined(separator: " · ")
    }
}
