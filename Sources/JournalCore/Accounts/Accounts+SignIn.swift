internal import EventLog
package import FoundationEssentials
internal import HealthModel

extension Journal.Accounts {
    /// The lifetime of a session, in days, unless it is ended earlier.
    private static var sessionDays: Int64 { 30 }

    /// The minimum time to answer a wrong name or password; a longer time is rounded up to a multiple of it.
    ///
    /// It is longer than the work that is done only for a name that has an account.
    private static var answerTime: Duration { .milliseconds(250) }

    /// Signs in with the name and the password of an account.
    ///
    /// An unknown name, an account without a password and a wrong password cause the same work and the same error,
    /// after the same time.
    package func signIn(
        name: String,
        password: String,
        _ source: SignInSource
    ) async throws(JournalError) -> SignIn {
        let start = ContinuousClock.now
        do {
            let found = try accountToSignIn(name)
            let target: SignInLimiter.Target =
                found.map { .account($0.id) } ?? .unknown(Secret.digest(of: Self.folded(name)))
            try await admitAttempt(target, at: found?.id, source)
            let signIn = try await journal.retrying { () -> SignIn? in
                // Read again on each attempt: a session must not be based on a password that was replaced in the
                // meantime.
                let version = try found.map { try journal.log.version(of: $0.id) } ?? 0
                let state = try found.map { try account($0.id) }
                guard try await journal.signIns.worker.matches(password, state?.password), let state else { return nil }
                return try await beginSession(of: state, version, source)
            }
            guard let signIn else {
                let error = try await failedSignIn(
                    at: found?.id,
                    source,
                    reason: "a wrong name or password",
                    JournalError(.unauthenticated, "the name or the password is wrong")
                )
                let taken = ContinuousClock.now - start
                let periods = (taken / Self.answerTime).rounded(.up)
                try await Task.sleep(until: start + Self.answerTime * periods, clock: .continuous)
                throw error
            }
            journal.signIns.limiter.succeed(target, from: source.address)
            return signIn
        } catch {
            throw JournalError(error)
        }
    }

    /// Creates a code that signs in once as an account, within fifteen minutes and only in this process.
    ///
    /// For the operator who started the process: the operator has the master key, so no authorization is checked.
    package func makeSignInCode(for account: UUID) throws(JournalError) -> String {
        do {
            guard try self.account(account).kind != .tool else {
                throw JournalError(.conflict, field: "account", "a tool cannot sign in: issue a token for it")
            }
            return journal.signIns.codes.make(for: account, now: journal.log.now())
        } catch {
            throw JournalError(error)
        }
    }

    /// Signs in with a one-time code, which is used up.
    package func signIn(code: String, _ source: SignInSource) async throws(JournalError) -> SignIn {
        do {
            try await admitAttempt(nil, at: nil, source)
            guard let id = journal.signIns.codes.take(code, now: journal.log.now()) else {
                throw try await failedSignIn(
                    at: nil,
                    source,
                    reason: "an invalid sign-in code",
                    JournalError(.unauthenticated, field: "code", "the code is wrong, has been used or has expired")
                )
            }
            return try await journal.retrying {
                let version = try journal.log.version(of: id)
                return try await beginSession(of: account(id), version, source)
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the account of a name, if it can sign in.
    private func accountToSignIn(_ name: String) throws -> AccountState? {
        guard name.utf8.count <= Limits.line, let found = try account(named: name), found.kind != .tool else {
            return nil
        }
        return found
    }

    private func beginSession(
        of account: AccountState,
        _ version: UInt64,
        _ source: SignInSource
    ) async throws -> SignIn {
        let secret = Secret(.session, bits: 256)
        let session = AccountSession(
            id: UUID.timeOrdered(at: journal.log.now()),
            digest: secret.digest,
            expires: Instant(microseconds: journal.now.microseconds + Self.sessionDays * 86_400_000_000)
        )
        let caller = Caller(account: account.id, name: account.name, kind: account.kind, source: source.source)
        var change = try Change(journal, caller)
        try change.add(
            decide(.beginSession(session), account, now: journal.now),
            in: .own(account.id),
            expecting: .exact(version)
        )
        _ = try await change.commit()
        return SignIn(secret: secret.text, session: session.id, account: account.id, expires: session.expires)
    }

    /// Takes one attempt from the limits, or throws `busy` with the time to wait.
    func admitAttempt(
        _ target: SignInLimiter.Target?,
        at account: UUID?,
        _ source: SignInSource
    ) async throws {
        guard
            case .limited(let wait, let reason, let isFirst) = journal.signIns.limiter.admit(
                target,
                from: source.address
            )
        else { return }
        let error = JournalError(.busy, "too many attempts to sign in; try again later", retryAfter: wait)
        // A burst of limited attempts is recorded as one event, so that it cannot fill the log.
        guard isFirst else { throw error }
        let why = reason == .account ? "too many attempts for one account" : "too many attempts from one address"
        throw try await failedSignIn(at: account, source, reason: why, error)
    }

    /// Records a failed sign-in, and returns the error to throw.
    ///
    /// The event names the account if there is one. It does not contain the name that was typed, because people type
    /// passwords there by mistake.
    func failedSignIn(
        at account: UUID?,
        _ source: SignInSource,
        reason why: String,
        _ error: JournalError
    ) async throws -> JournalError {
        let id = journal.log.description.id
        let stranger = Caller(account: account ?? .zero, name: "", kind: .person, source: source.source, reason: why)
        var change = try Change(journal, stranger)
        try change.add(.accessDenied(Access(action: .signIn)), in: .stream(journal.accessStream(of: id), of: id))
        _ = try await change.commit()
        return error
    }
}
