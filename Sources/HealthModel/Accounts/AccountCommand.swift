package import FoundationEssentials

/// A command on an account.
package enum AccountCommand: Hashable, Sendable {
    /// Adds the account, with an initial password if one is given.
    case add(AccountProfile, password: PasswordHash? = nil)
    case issueToken(Token)
    case revokeToken(UUID)
    /// Sets the password and ends all open sessions except `keeping`.
    case setPassword(PasswordHash, keeping: UUID?)
    /// Begins a session and ends the oldest open sessions that exceed `Limits.sessions`.
    case beginSession(AccountSession)
    case endSession(UUID)
    case linkIdentity(AccountIdentity)
    case unlinkIdentity(UUID)
    case setDetails(AccountDetails)
    case setPreferences(AccountPreferences)
    case setSubscription(Subscription)
    case addDevice(UUID, name: String)
    case removeDevice(UUID)
    /// Ends all use of the account. What it did stays in the log under its name.
    case remove
}

/// Returns the events that a command on an account produces; throws if the command is refused.
///
/// This function does not check that an account name is unique: the claim of the name (`ClaimState`) ensures that.
package func decide(
    _ command: AccountCommand,
    _ state: AccountState?,
    now: Instant
) throws(ModelError) -> [JournalEvent] {
    if case .add(let profile, let password) = command {
        guard state == nil else { throw ModelError(.conflict, "an account with this id already exists") }
        try profile.validate()
        guard let password else { return [.accountAdded(profile)] }
        try profile.kind.requireSignIn()
        try password.validate()
        return [.accountAdded(profile), .passwordSet(password)]
    }
    guard let state else { throw ModelError(.notFound, field: "account", "there is no such account") }
    if state.removed != nil { throw ModelError(.conflict, field: "account", "the account was removed") }
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
    case .setDetails(let details):
        try details.validate(now: now)
        return state.details == details ? [] : [.profileSet(details)]
    case .setPreferences(let preferences):
        try preferences.validate(now: now)
        return state.preferences == preferences ? [] : [.preferencesSet(preferences)]
    case .setSubscription(let subscription):
        try subscription.validate(now: now)
        return state.subscription == subscription ? [] : [.subscriptionSet(subscription)]
    case .addDevice(let id, let name):
        if name.isEmpty { throw ModelError(.invalid, field: "name", "is required") }
        try TextCheck.check(name, field: "name", maximum: Limits.line)
        if state.devices[id] != nil { throw ModelError(.conflict, "a device with this id already exists") }
        if state.devices.count >= Limits.devices {
            throw ModelError(.conflict, "an account has at most \(Limits.devices) devices")
        }
        return [.deviceAdded(id, name: name)]
    case .removeDevice(let id):
        guard state.devices[id] != nil else {
            throw ModelError(.notFound, field: "device", "the account has no such device")
        }
        return [.deviceRemoved(id)]
    case .remove:
        return [.accountRemoved]
    }
}

extension AccountKind {
    fileprivate func requireSignIn() throws(ModelError) {
        if self == .tool {
            throw ModelError(.conflict, field: "account", "a tool cannot sign in: issue a token to it")
        }
    }
}

extension AccountIdentity {
    fileprivate func validate(for account: AccountState) throws(ModelError) {
        try validate()
        if account.identities[id] != nil {
            throw ModelError(.conflict, field: "identity", "an identity with this id already exists")
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
            throw ModelError(.conflict, field: "session", "a session with this id already exists")
        }
        if digest.count != 32 { throw ModelError(.invalid, field: "digest", "must be a SHA-256") }
        if expires <= now { throw ModelError(.invalid, field: "expires", "must be in the future") }
    }
}

extension Token {
    fileprivate func validate(for account: AccountState, now: Instant) throws(ModelError) {
        if account.tokens[id] != nil {
            throw ModelError(.conflict, field: "token", "a token with this id already exists")
        }
        if account.tokens.count >= Limits.tokens {
            throw ModelError(.conflict, field: "token", "the account has \(Limits.tokens) tokens, which is the maximum")
        }
        if digest.count != 32 { throw ModelError(.invalid, field: "digest", "must be a SHA-256") }
        if let expires, expires <= now { throw ModelError(.invalid, field: "expires", "must be in the future") }
        try scope.validate(for: account.kind)
    }
}
