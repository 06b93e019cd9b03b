internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
internal import LMDB

/// The accounts and their tokens in memory, caught up with the log at each use.
///
/// Whoever revokes a token, in this process or another, is heeded at the next request.
final class AccountDirectory: Sendable {
    fileprivate struct State {
        /// Nil until it was read for the first time.
        var position: UInt64?
        var accounts: [UUID: AccountState] = [:]
        /// By the digest of a token's secret.
        var holders: [[UInt8]: (account: UUID, token: UUID)] = [:]
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

    private func caughtUp<Result>(
        _ log: EventLog,
        _ permissions: CaregiverPermissionsView,
        _ body: (State) -> Result
    ) throws -> Result {
        try state.withLock { state in
            let head = try log.head()
            var changed: Set<UUID> = []
            if let position = state.position {
                try log.forEachFrame(after: position, through: head) { frame in
                    if frame.category == EventCategory.account.rawValue { changed.insert(frame.stream) }
                    return true
                }
            } else {
                changed.formUnion(try permissions.accounts(asOf: head))
            }
            for id in changed { try state.read(id, from: log) }
            state.position = head
            return body(state)
        }
    }
}

extension AccountDirectory.State {
    fileprivate mutating func read(_ id: UUID, from log: EventLog) throws {
        var account: AccountState?
        do {
            for event in try log.recordedEvents(of: id) { evolve(&account, event) }
        } catch let error as EventLogError where error.code == .subjectErased {
            account = nil
        }
        for token in accounts[id]?.tokens.values ?? [:].values { holders[token.digest] = nil }
        accounts[id] = account
        for token in account?.tokens.values ?? [:].values { holders[token.digest] = (id, token.id) }
    }
}
