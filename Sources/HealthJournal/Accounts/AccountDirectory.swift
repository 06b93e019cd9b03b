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
    }

    private let state = Guarded(State())

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

    private func caughtUp<Result>(
        _ log: EventLog,
        _ permissions: CaregiverPermissionsView,
        _ body: (State) -> Result
    ) throws -> Result {
        try state.withLock { state in
            let head = try log.head()
            if let position = state.position {
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
        do {
            try change(&account)
        } catch let error as EventLogError where error.code == .subjectErased {
            account = nil
        }
        accounts[id] = account
        for token in account?.tokens.values ?? [:].values { holders[token.digest] = (id, token.id) }
        for session in account?.sessions.values ?? [:].values { signedIn[session.digest] = (id, session.id) }
    }
}
