package import FoundationEssentials

/// What somebody wants done with an account.
package enum AccountCommand: Hashable, Sendable {
    /// With the password by which its holder first comes in, if it is to have one.
    case add(AccountProfile, password: PasswordHash? = nil)
    case issueToken(Token)
    case revokeToken(UUID)
    /// Ends all sessions but the one that is named.
    case setPassword(PasswordHash, keeping: UUID?)
    /// Ends the oldest where there are too many.
    case beginSession(AccountSession)
    case endSession(UUID)
    case linkIdentity(AccountIdentity)
    case unlinkIdentity(UUID)
}

/// The events that a command makes of an account, or why it makes none.
///
/// That a name stands once in a journal is a claim's matter, not this function's.
package func decide(
    _ command: AccountCommand,
    _ state: AccountState?,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    if case .add(let profile, let password) = command {
        guard state == nil else { throw ModelError(.conflict, "there is an account of this id already") }
        try profile.validate()
        guard let password else { return [.accountAdded(profile)] }
        try profile.kind.requireSignIn()
        try password.validate()
        return [.accountAdded(profile), .passwordSet(password)]
    }
    guard let state else { throw ModelError(.notFound, field: "account", "there is no such account") }
    switch command {
    case .add:
        return []
    case .issueToken(let token):
        try token.validate(for: state, now: now)
        return [.tokenIssued(token)]
    case .revokeToken(let id):
        guard let token = state.tokens[id] else {
            throw ModelError(.notFound, field: "token", "the account has no such token")
        }
        if token.revoked != nil { throw ModelError(.conflict, field: "token", "the token is revoked already") }
        return [.tokenRevoked(id)]
    case .setPassword(let password, let kept):
        try state.kind.requireSignIn()
        try password.validate()
        let ended = state.openSessions(at: now).filter { $0.id != kept }
        return [.passwordSet(password)] + ended.map { .sessionEnded($0.id) }
    case .beginSession(let session):
        try state.kind.requireSignIn()
        try session.validate(for: state, now: now)
        let open = state.openSessions(at: now)
        let ended = open.prefix(max(0, open.count + 1 - Limits.sessions))
        return ended.map { .sessionEnded($0.id) } + [.sessionBegun(session)]
    case .endSession(let id):
        guard let session = state.sessions[id] else {
            throw ModelError(.notFound, field: "session", "the account has no such session")
        }
        return session.isOpen(at: now) ? [.sessionEnded(id)] : []
    case .linkIdentity(let identity):
        try state.kind.requireSignIn()
        try identity.validate(for: state)
        return [.identityLinked(identity)]
    case .unlinkIdentity(let id):
        guard state.identities[id] != nil else {
            throw ModelError(.notFound, field: "identity", "the account has no such identity")
        }
        return [.identityUnlinked(id)]
    }
}

extension AccountKind {
    fileprivate func requireSignIn() throws(ModelError) {
        if self == .tool {
            throw ModelError(.conflict, field: "account", "a tool does not sign in: issue a token to it")
        }
    }
}

extension AccountIdentity {
    fileprivate func validate(for account: AccountState) throws(ModelError) {
        try validate()
        if account.identities[id] != nil {
            throw ModelError(.conflict, field: "identity", "there is an identity of this id already")
        }
        if account.identities.values.contains(where: { $0.identity.issuer == issuer && $0.identity.subject == subject })
        {
            throw ModelError(.conflict, field: "subject", "the identity is linked to the account already")
        }
        if account.identities.count >= Limits.identities {
            throw ModelError(.conflict, field: "identity", "an account has at most \(Limits.identities) identities")
        }
    }
}

extension AccountSession {
    fileprivate func validate(for account: AccountState, now: Instant) throws(ModelError) {
        if account.sessions[id] != nil {
            throw ModelError(.conflict, field: "session", "there is a session of this id already")
        }
        if digest.count != 32 { throw ModelError(.invalid, field: "digest", "must be a SHA-256") }
        if expires <= now { throw ModelError(.invalid, field: "expires", "must lie ahead") }
    }
}

extension Token {
    fileprivate func validate(for account: AccountState, now: Instant) throws(ModelError) {
        if account.tokens[id] != nil {
            throw ModelError(.conflict, field: "token", "there is a token of this id already")
        }
        if account.tokens.count >= Limits.tokens {
            throw ModelError(.conflict, field: "token", "the account has \(Limits.tokens) tokens, and no more are kept")
        }
        if digest.count != 32 { throw ModelError(.invalid, field: "digest", "must be a SHA-256") }
        if let expires, expires <= now { throw ModelError(.invalid, field: "expires", "must lie ahead") }
        // A scope that was put together by hand must read back as itself.
        guard try TokenScope(parsing: scope.description) == scope else {
            throw ModelError(.invalid, field: "scope", "must be full, read, append, append:CATEGORY or audit")
        }
        switch (account.kind, scope) {
        case (.person, _), (.tool, .append), (.auditor, .audit), (.auditor, .read), (.administrator, .full): break
        case (.tool, _): throw ModelError(.invalid, field: "scope", "a tool's token may only append")
        case (.auditor, _): throw ModelError(.invalid, field: "scope", "an auditor's token may only audit or read")
        case (.administrator, _): throw ModelError(.invalid, field: "scope", "an administrator's token must be full")
        }
    }
}
