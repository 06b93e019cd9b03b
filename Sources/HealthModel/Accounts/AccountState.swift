package import FoundationEssentials

/// A token as it was issued; its secret is shown once and never stored.
package struct Token: Hashable, Sendable {
    package var id: UUID
    package var scope: TokenScope
    /// The first moment at which the token is no longer valid; nil if it does not expire.
    package var expires: Instant?
    /// The SHA-256 of the secret.
    package var digest: [UInt8]

    package init(id: UUID, scope: TokenScope, expires: Instant? = nil, digest: [UInt8]) {
        self.id = id
        self.scope = scope
        self.expires = expires
        self.digest = digest
    }
}

/// The state of a token as of a position of the log.
package struct TokenState: Hashable, Sendable {
    package var token: Token
    package var issued: Stamp
    package var revoked: Stamp?
    /// The last `tokenUsed` event, which is appended at most once a day; nil if there is none.
    package var used: Stamp?

    package init(token: Token, issued: Stamp, revoked: Stamp? = nil) {
        self.token = token
        self.issued = issued
        self.revoked = revoked
    }

    package var id: UUID { token.id }
    package var scope: TokenScope { token.scope }
    package var expires: Instant? { token.expires }
    package var digest: [UInt8] { token.digest }

    /// Reports whether the token is valid at a moment.
    package func isValid(at now: Instant) -> Bool {
        revoked == nil && token.expires.map { now < $0 } ?? true
    }
}

/// A device that may send changes that were made on it.
package struct DeviceState: Hashable, Sendable {
    package var id: UUID
    package var name: String
    package var added: Stamp

    package init(id: UUID, name: String, added: Stamp) {
        self.id = id
        self.name = name
        self.added = added
    }
}

/// The state of an account as of a position of the log.
package struct AccountState: Hashable, Sendable {
    package var id: UUID
    package var profile: AccountProfile
    /// How the account is shown to other people; at first only with the e-mail address of `profile`.
    package var details: AccountDetails
    package var preferences = AccountPreferences()
    /// Nil until one is set.
    package var subscription: Subscription?
    package var added: Stamp
    /// Nil while the account can be used.
    package var removed: Stamp?
    /// The last time at which a session began or the use of a token was recorded; nil if there is none.
    package var lastLoginAt: Instant?
    package var tokens: [UUID: TokenState] = [:]
    /// Nil until a password is set: until then, the account is used with tokens or on the local machine.
    package var password: PasswordHash?
    /// The newest session and those that were open when it began, in their current state.
    package var sessions: [UUID: SessionState] = [:]

    /// The holder's identities at external sign-in providers.
    package var identities: [UUID: IdentityState] = [:]
    /// The channels for reminders, including removed ones.
    package var channels: [UUID: ReminderChannelState] = [:]

    /// The devices that may send changes, without those that were removed.
    package var devices: [UUID: DeviceState] = [:]

    package init(id: UUID, profile: AccountProfile, added: Stamp) {
        self.id = id
        self.profile = profile
        self.added = added
        details = AccountDetails(email: profile.email)
    }

    package var name: String { profile.name }
    package var email: String { details.email }
    package var kind: AccountKind { profile.kind }

    /// Returns the sessions that are valid at a moment, in the order in which they began.
    package func openSessions(at now: Instant) -> [SessionState] {
        sessions.values.filter { $0.isOpen(at: now) }.sorted { $0.begun.position < $1.begun.position }
    }
}
