internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import LMDB

/// The accounts with their tokens and sessions in memory, caught up with the log at each use.
///
/// Whoever revokes a token or ends a session, in this process or another, is heeded at the next request.
final class AccountDirectory: Sendable {
    fileprivate struct State {
        /// Nil until it was read for the first time.
        var position: UInt64?
        var accounts: [UUID: AccountState] = [:]
        /// By the digest of a token's secret.
        var holders: [[UInt8]: (account: UUID, token: UUID)] = [:]
        /// By the digest of a session's secret.
        var signedIn: [[UInt8]: (account: UUID, session: UUID)] = [:]
        /// By who the holder is to a provider.
        var known: [Provided: UUID] = [:]
    }

    /// Whom a provider's token speaks of.
    ///
    /// Compared byte by byte, as a claim is: of two spellings that look alike each is somebody else.
    struct Provided: Hashable {
        let issuer: [UInt8]
        let subject: [UInt8]

        init(issuer: String, subject: String) {
            (self.issuer, self.subject) = (Array(issuer.utf8), Array(subject.utf8))
        }
    }

    private let state = Guarded(State())
    /// When each token was last shown to this process, and when the log was last told of it, in microseconds.
    private let uses = Guarded<[UUID: (last: Int64, told: Int64)]>([:])

    /// Takes notice that a token was shown.
    func note(useOf token: UUID, at now: Int64) {
        uses.withLock { $0[token] = (now, $0[token]?.told ?? .min) }
    }

    /// Whether this process knows that the log was told of a token's use not long ago.
    func isTold(of token: UUID, at now: Int64) -> Bool {
        uses.withLock { uses in
            guard let told = uses[token]?.told, told != .min else { return false }
            return now - told < AccountDirectory.tellingPace
        }
    }

    func lastUse(of token: UUID) -> Int64? { uses.withLock { $0[token]?.last } }

    /// Whether the log should be told of a token's use; answers true once a day, to one of those who ask.
    func takesTelling(of token: UUID, at now: Int64, toldBefore: Int64?) -> Bool {
        uses.withLock { uses in
            let told = max(uses[token]?.told ?? .min, toldBefore ?? .min)
            let isDue = told == .min || now - told >= AccountDirectory.tellingPace
            uses[token] = (uses[token]?.last ?? now, isDue ? now : told)
            return isDue
        }
    }

    private static let tellingPace: Int64 = 86_400_000_000

    /// An account as it is known now.
    func account(_ id: UUID, _ log: EventLog, _ permissions: CaregiverPermissionsView) throws -> AccountState? {
        try caughtUp(log, permissions) { $0.accounts[id] }
    }

    /// The account and the token whose secret has that digest, revoked and expired ones too.
    func holder(
        of digest: [UInt8],
        _ log: EventLog,
        _ permissions: CaregiverPermissionsView
    ) throws -> (account: AccountState, token: TokenState)? {
        try caughtUp(log, permissions) { state in
            guard let found = state.holders[digest], let account = state.accounts[found.account],
                let token = account.tokens[found.token]
            else { return nil }
            return (account, token)
        }
    }

    /// The account and the session whose secret has that digest; one that ended is there until the next begins.
    func signedIn(
        by digest: [UInt8],
        _ log: EventLog,
        _ permissions: CaregiverPermissionsView
    ) throws -> (account: AccountState, session: SessionState)? {
        try caughtUp(log, permissions) { state in
            guard let found = state.signedIn[digest], let account = state.accounts[found.account],
                let session = account.sessions[found.session]
            else { return nil }
            return (account, session)
        }
    }

    /// The account that is linked to an identity.
    func account(
        of identity: Provided,
        _ log: EventLog,
        _ permissions: CaregiverPermissionsView
    ) throws -> AccountState? {
        try caughtUp(log, permissions) { state in state.known[identity].flatMap { state.accounts[$0] } }
    }

    private func caughtUp<Result>(
        _ log: EventLog,
        _ permissions: CaregiverPermissionsView,
        _ body: (State) -> Result
    ) throws -> Result {
        try state.withLock { state in
            let head = try log.head()
            if let position = state.position {
                guard position < head else { return body(state) }
                var news: [UUID: [UInt64]] = [:]
                try log.forEachFrame(after: position, through: head) { frame in
                    if frame.category == EventCategory.account.rawValue {
                        news[frame.stream, default: []].append(frame.position)
                    }
                    return true
                }
                // What is known already is not read again: an account that signs in every day has a long stream.
                for (id, positions) in news { try state.take(id, positions, from: log) }
            } else {
                for id in try permissions.accounts(asOf: head) { try state.read(id, from: log) }
            }
            state.position = head
            return body(state)
        }
    }
}

extension AccountDirectory.State {
    fileprivate mutating func read(_ id: UUID, from log: EventLog) throws {
        try update(id) { account in
            account = nil
            for event in try log.recordedEvents(of: id) { evolve(&account, event) }
        }
    }

    fileprivate mutating func take(_ id: UUID, _ positions: [UInt64], from log: EventLog) throws {
        try update(id) { account in
            for position in positions { evolve(&account, try log.recorded(log.event(at: position))) }
        }
    }

    private mutating func update(_ id: UUID, _ change: (inout AccountState?) throws -> Void) throws {
        var account = accounts[id]
        for token in account?.tokens.values ?? [:].values { holders[token.digest] = nil }
        for session in account?.sessions.values ?? [:].values { signedIn[session.digest] = nil }
        // It may be another's by now.
        for identity in account?.identities.values ?? [:].values where known[identity.provided] == id {
            known[identity.provided] = nil
        }
        do {
            try change(&account)
        } catch let error as EventLogError where error.code == .subjectErased {
            account = nil
        }
        accounts[id] = account
        for token in account?.tokens.values ?? [:].values { holders[token.digest] = (id, token.id) }
        for session in account?.sessions.values ?? [:].values { signedIn[session.digest] = (id, session.id) }
        for identity in account?.identities.values ?? [:].values { known[identity.provided] = id }
    }
}

extension IdentityState {
    fileprivate var provided: AccountDirectory.Provided {
        AccountDirectory.Provided(issuer: identity.issuer, subject: identity.subject)
    }
}
