package import FoundationEssentials

/// A token as it was issued; the secret itself is shown once and kept nowhere.
package struct Token: Hashable, Sendable {
    package var id: UUID
    package var scope: TokenScope
    /// The first moment at which the token no longer works; nil for no end.
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

/// A token as it is known at some position of the log.
package struct TokenState: Hashable, Sendable {
    package var token: Token
    package var issued: Stamp
    package var revoked: Stamp?
    /// When it was found in use, to a day.
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

    /// Whether the token works at a moment.
    package func isValid(at now: Instant) -> Bool {
        revoked == nil && token.expires.map { now < $0 } ?? true
    }
}

/// An account as it is known at some position of the log.
package struct AccountState: Hashable, Sendable {
    package var id: UUID
    package var profile: AccountProfile
    package var added: Stamp
    package var tokens: [UUID: TokenState] = [:]
    /// Nil until one is set: the account is then used with tokens, or on the machine itself.
    package var password: PasswordHash?
    /// Those that had neither ended nor expired when the newest of them began, and what became of them since.
    package var sessions: [UUID: SessionState] = [:]

    /// Who the holder is to others that sign people in.
    package var identities: [UUID: IdentityState] = [:]

    package init(id: UUID, profile: AccountProfile, added: Stamp) {
        self.id = id
        self.profile = profile
        self.added = added
    }

    package var name: String { profile.name }
    package var email: String { profile.email }
    package var kind: AccountKind { profile.kind }

    /// The sessions that work at a moment, in the order in which they began.
    package func openSessions(at now: Instant) -> [SessionState] {
        sessions.values.filter { $0.isOpen(at: now) }.sorted { $0.begun.position < $1.begun.position }
    }
}
