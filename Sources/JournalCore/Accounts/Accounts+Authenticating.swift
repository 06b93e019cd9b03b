internal import EventLog
internal import FoundationEssentials
package import HealthModel
internal import Platform

extension Journal.Accounts {
    /// Returns the caller whose token or session has the given secret.
    ///
    /// Unknown, revoked, ended and expired secrets cause the same error.
    package func authenticate(
        _ secret: String,
        source: EventSource,
        reason: String = "",
        purpose: String = ""
    ) async throws(JournalError) -> Caller {
        try await journal.retrying {
            guard let shown = try holder(of: secret) else {
                throw JournalError(.unauthenticated, "the token is unknown to this journal, expired or revoked")
            }
            var caller = Caller(
                account: shown.account.id,
                name: shown.account.name,
                kind: shown.account.kind,
                scope: shown.scope,
                session: shown.session?.id,
                source: source,
                reason: reason,
                purpose: purpose
            )
            caller.sessionExpires = shown.session?.expires
            caller.token = shown.token
            caller.isSubscriptionOver = isSubscriptionOver(shown.account)
            if let token = shown.token { journal.directory.note(useOf: token, at: journal.log.now()) }
            return caller
        }
    }

    /// Returns the caller with an identity at a provider, which must have been verified already.
    ///
    /// An identity that is not linked to an account causes `unauthenticated`, as an unknown token does.
    package func authenticate(
        issuer: String,
        subject: String,
        source: EventSource,
        purpose: String = ""
    ) async throws(JournalError) -> Caller {
        try await journal.retrying {
            let identity = AccountDirectory.Provided(issuer: issuer, subject: subject)
            guard let account = try journal.directory.account(of: identity, journal.log, journal.permissions) else {
                throw JournalError(
                    .unauthenticated,
                    "the identity in the token is not linked to an account of this journal"
                )
            }
            var caller = Caller(
                account: account.id,
                name: account.name,
                kind: account.kind,
                source: source,
                purpose: purpose
            )
            caller.isSubscriptionOver = isSubscriptionOver(account)
            return caller
        }
    }

    /// Lets accounts whose subscription is over only read, export and erase their data from now on.
    ///
    /// Binds callers that authenticate, and not those on the local machine, who have the master key. An account without
    /// a subscription is not bound.
    package func requireSubscriptions() { journal.requiresSubscriptions.withLock { $0 = true } }

    private func isSubscriptionOver(_ account: AccountState) -> Bool {
        journal.requiresSubscriptions.withLock { $0 } && account.subscription?.isOver(at: journal.now) == true
    }

    /// Returns the holder of a secret.
    ///
    /// It is looked up by its digest, so that the time of the look-up reveals nothing about any secret.
    private func holder(
        of secret: String
    ) throws -> (account: AccountState, scope: TokenScope, session: SessionState?, token: UUID?)? {
        let digest = Secret.digest(of: secret)
        if secret.hasPrefix(Secret.Use.session.rawValue) {
            guard let (account, session) = try journal.directory.signedIn(by: digest, journal.log, journal.permissions),
                session.isOpen(at: journal.now)
            else { return nil }
            return (account, .full, session, nil)
        }
        guard let (account, token) = try journal.directory.holder(of: digest, journal.log, journal.permissions),
            token.isValid(at: journal.now)
        else { return nil }
        return (account, token.scope, nil, token.id)
    }
}
