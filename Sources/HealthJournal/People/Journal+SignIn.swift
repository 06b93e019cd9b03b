internal import EventLog
package import FoundationEssentials
internal import HealthModel

extension Journal {
    /// How long a session lasts, in days, unless it is ended.
    private static var sessionDays: Int64 { 30 }

    /// Lets somebody in who knows an account's password.
    ///
    /// Whether there is no account of the name, or none with a password, or another one: the same work is done, and the
    /// same error given.
    package func signIn(
        name: String,
        password: String,
        _ source: SignInSource
    ) async throws(JournalError) -> SignIn {
        do {
            let found = try accountToSignIn(name)
            let target: SignInLimiter.Target =
                found.map { .account($0.id) } ?? .unknown(Secret.digest(of: Journal.folded(name)))
            try await admitAttempt(target, at: found?.id, source)
            let signIn = try await retrying { () -> SignIn? in
                // Read anew each time: a session never rests on a password that was replaced meanwhile.
                let version = try found.map { try log.version(of: $0.id) } ?? 0
                let state = try found.map { try account($0.id) }
                guard try await signIns.worker.matches(password, state?.password), let state else { return nil }
                return try await beginSession(of: state, version, source)
            }
            guard let signIn else {
                throw try await failedSignIn(
                    at: found?.id,
                    source,
                    because: "a wrong name or password",
                    JournalError(.unauthenticated, "the name or the password is wrong")
                )
            }
            signIns.limiter.succeed(target)
            return signIn
        } catch {
            throw JournalError(error)
        }
    }

    /// A code by which whoever is given it signs in once as an account, within fifteen minutes and at this process alone.
    ///
    /// For whoever started the process: it has the master key, and nobody is asked.
    package func makeSignInCode(for account: UUID) throws(JournalError) -> String {
        do {
            guard try self.account(account).kind != .tool else {
                throw JournalError(.conflict, field: "account", "a tool does not sign in: issue a token to it")
            }
            return signIns.codes.make(for: account, now: log.now())
        } catch {
            throw JournalError(error)
        }
    }

    /// Lets somebody in who has a one-time code, which is used up by that.
    package func signIn(code: String, _ source: SignInSource) async throws(JournalError) -> SignIn {
        do {
            try await admitAttempt(nil, at: nil, source)
            guard let id = signIns.codes.take(code, now: log.now()) else {
                throw try await failedSignIn(
                    at: nil,
                    source,
                    because: "a code that does not work",
                    JournalError(.unauthenticated, field: "code", "the code is wrong, has been used or is too old")
                )
            }
            return try await retrying {
                let version = try log.version(of: id)
                return try await beginSession(of: account(id), version, source)
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// The account of a name, if it is one that signs in.
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
            id: UUID.timeOrdered(at: log.now()),
            digest: secret.digest,
            expires: Instant(microseconds: now.microseconds + Journal.sessionDays * 86_400_000_000)
        )
        let caller = Caller(account: account.id, name: account.name, kind: account.kind, source: source.source)
        var change = try Change(self, caller)
        for event in try decide(.beginSession(session), account, now: now) {
            try change.add(event, stream: account.id, subject: account.id, expecting: .exact(version))
        }
        _ = try await change.commit()
        return SignIn(secret: secret.text, session: session.id, account: account.id, expires: session.expires)
    }

    /// Takes one attempt from those that are left, or throws how long to wait.
    func admitAttempt(
        _ target: SignInLimiter.Target?,
        at account: UUID?,
        _ source: SignInSource
    ) async throws {
        guard case .limited(let wait, let reason, let isFirst) = signIns.limiter.admit(target, from: source.address)
        else { return }
        let error = JournalError(.busy, "too many attempts to sign in; try again later", retryAfter: wait)
        // A burst is one event: the log is not to be filled by who is being turned away.
        guard isFirst else { throw error }
        let why = reason == .account ? "too many attempts at one account" : "too many attempts from one address"
        throw try await failedSignIn(at: account, source, because: why, error)
    }

    /// Puts on record that somebody did not get in, and answers the error to throw.
    ///
    /// The account is named where there is one. The name that was typed is not: people type passwords there.
    func failedSignIn(
        at account: UUID?,
        _ source: SignInSource,
        because why: String,
        _ error: JournalError
    ) async throws -> JournalError {
        let journal = log.description.id
        let stranger = Caller(account: account ?? .zero, name: "", kind: .person, source: source.source, reason: why)
        var change = try Change(self, stranger)
        try change.add(.accessDenied(Access(action: .signIn)), stream: try accessStream(of: journal), subject: journal)
        _ = try await change.commit()
        return error
    }
}
