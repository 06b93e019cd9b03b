package import CaregiverPermissions
package import EventLog
internal import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import Platform

/// The accounts with their tokens and sessions in memory, brought up to date with the log at each use.
///
/// A token that is revoked or a session that is ended, in this process or another, is rejected from the next request
/// on.
package final class AccountDirectory: Sendable {
    fileprivate struct State {
        /// Nil until the accounts are read for the first time.
        var position: UInt64?
        var accounts: [UUID: AccountState] = [:]
        /// By the digest of a token's secret.
        var holders: [[UInt8]: (account: UUID, token: UUID)] = [:]
        /// By the digest of a session's secret.
        var signedIn: [[UInt8]: (account: UUID, session: UUID)] = [:]
        /// The accounts by their identities at providers.
        var known: [Provided: UUID] = [:]
    }

    /// An identity at a provider, as the provider's token names it.
    ///
    /// Compared byte by byte, as a claim is: spellings that look alike are different identities.
    package struct Provided: Hashable {
        let issuer: [UInt8]
        let subject: [UInt8]

        package init(issuer: String, subject: String) {
            (self.issuer, self.subject) = (Array(issuer.utf8), Array(subject.utf8))
        }
    }

    private let state = Guarded(State())
    /// When each token was last used in this process, and when a use was last recorded in the log, in microseconds.
    private let uses = Guarded<[UUID: (last: Int64, recorded: Int64)]>([:])

    /// Notes that a token was used.
    func note(useOf token: UUID, at now: Int64) {
        uses.withLock { $0[token] = (now, $0[token]?.recorded ?? .min) }
    }

    /// Reports whether this process knows that a use of the token was recorded in the log within the last day.
    func isUseRecorded(of token: UUID, at now: Int64) -> Bool {
        uses.withLock { uses in
            guard let recorded = uses[token]?.recorded, recorded != .min else { return false }
            return now - recorded < AccountDirectory.useRecordingInterval
        }
    }

    func lastUse(of token: UUID) -> Int64? { uses.withLock { $0[token]?.last } }

    /// Reports whether a use of the token is to be recorded in the log now.
    ///
    /// Returns true once a day, to one of the concurrent callers.
    func claimUseRecording(of token: UUID, at now: Int64, recordedBefore: Int64?) -> Bool {
        uses.withLock { uses in
            let recorded = max(uses[token]?.recorded ?? .min, recordedBefore ?? .min)
            let isDue = recorded == .min || now - recorded >= AccountDirectory.useRecordingInterval
            uses[token] = (uses[token]?.last ?? now, isDue ? now : recorded)
            return isDue
        }
    }

    private static let useRecordingInterval: Int64 = 86_400_000_000

    /// Returns the current state of an account.
    func account(_ id: UUID, _ log: EventLog, _ permissions: CaregiverPermissionsView) throws -> AccountState? {
        try caughtUp(log, permissions) { $0.accounts[id] }
    }

    /// Returns the account and the token whose secret has the digest; includes revoked and expired tokens.
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

    /// Returns the account and the session whose secret has the digest.
    ///
    /// A session that is over is included until the account's next session begins.
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

    /// Returns the account that is linked to an identity.
    package func account(
        of identity: Provided,
        _ log: EventLog,
        _ permissions: CaregiverPermissionsView
    ) throws -> AccountState? {
        try caughtUp(log, permissions) { state in state.known[identity].flatMap { state.accounts[$0] } }
    }

    /// Returns the accounts that have a channel for reminders.
    package func remindedAccounts(_ log: EventLog, _ permissions: CaregiverPermissionsView) throws -> [AccountState] {
        try caughtUp(log, permissions) { state in state.accounts.values.filter { !$0.openChannels.isEmpty } }
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
                // Events that were read before are not read again: an account that signs in every day has a long
                // stream.
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
        // The identity may be linked to another account by now.
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
