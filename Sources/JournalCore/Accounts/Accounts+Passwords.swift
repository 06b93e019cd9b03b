internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import PracticeDirectory

extension Journal.Accounts {
    /// Sets the password of an account and ends its sessions, except the caller's own session.
    ///
    /// Allowed to the account itself and to those who run the journal. The caller confirms the change with the
    /// `current` password of their own account, if it has one. Lasting access remains valid without the password, except
    /// that in `revoking`, which ends with the change.
    package func setPassword(
        of account: UUID,
        to password: String,
        current: String? = nil,
        revoking revocation: Revocation = .nothing,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: action(.setPassword, ofAccount: account, caller))
            let password = try Password(setting: password, ofAccount: self.account(account).name)
            try await confirm(caller, current, creatingAccessUntil: nil)
            let hash = try await journal.signIns.worker.hash(password)
            let version = try journal.log.version(of: account)
            let state = try self.account(account)
            let ended = try revocation.ending(lastingAccess(of: state), keeping: caller.token)
            let commands: [AccountCommand] =
                ended.tokens.map { .revokeToken($0.id) } + ended.identities.map { .unlinkIdentity($0.identity.id) }
            return try await changeAccount(account, .setPassword(hash, keeping: caller.session), caller) {
                change throws in
                change.expect(account, .exact(version))
                for command in commands {
                    try change.add(decide(command, state, now: journal.now), in: .own(account))
                    if case .unlinkIdentity(let id) = command, let claimed = state.identities[id]?.identity.claimed {
                        try journal.claimOnce(
                            .release(holder: account),
                            on: .identity,
                            claimed,
                            field: "subject",
                            &change
                        )
                    }
                }
                for channel in ended.channels {
                    try change.add(decide(ChannelCommand.remove(channel.id), state), in: .own(account))
                }
                for calendar in ended.calendars {
                    try journal.sharing.unlinkCalendar(calendar.state.id, of: calendar.subject, &change)
                }
            }
        }
    }

    /// Returns what gives access to an account's data independently of its password.
    ///
    /// Calendars and channels are listed for those who may end them by a change of the password.
    package func lastingAccess(
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> LastingAccess {
        try await journal.retrying {
            try await journal.access.admit(caller, to: action(.manageCredentials, ofAccount: account, caller))
            var access = try lastingAccess(of: self.account(account))
            guard try journal.access.may(action(.setPassword, ofAccount: account, caller), caller) else {
                (access.calendars, access.channels) = ([], [])
                return access
            }
            return access
        }
    }

    package func lastingAccess(of account: AccountState) throws -> LastingAccess {
        let now = journal.now
        var access = LastingAccess(
            tokens: account.tokens.values.filter { $0.isValid(at: now) }
                .sorted { $0.issued.position < $1.issued.position },
            identities: account.identities.values.sorted { $0.linked.position < $1.linked.position },
            channels: account.openChannels.filter(\.channel.showsNames)
        )
        let head = try journal.log.head()
        // An account may have linked calendars by the access of a practice whose member it is.
        let practices = try journal.practiceDirectory.practices(asOf: head)
        let own = try practices.filter { try journal.practiceStates.members(of: $0).state.members[account.id] != nil }
        let records = try ([account.id] + own)
            .flatMap { try journal.permissions.records(of: $0, asOf: head).map(\.record) }
            .filter { try journal.erasure.tombstone(of: $0) == nil }
        let specialists = try practices.flatMap { try journal.practiceDirectory.specialists(of: $0, asOf: head) }
        for subject in Set(records + specialists).sorted(by: { $0.text < $1.text }) {
            access.calendars += try journal.sharing.calendarLinks(of: subject).linked
                .filter { $0.calendar.account == account.id }
                .map { LastingAccess.Calendar(subject: subject, state: $0) }
        }
        return access
    }

    /// Requires the current password of the caller's account, if it has one.
    ///
    /// A session that was left open must not be enough to lock out the account's holder. Not required on the command
    /// line: the master key is stored on that machine, and the password may have been forgotten.
    package func requireCurrent(_ password: String?, _ caller: Caller) async throws {
        guard caller.source != .commandLine, let set = try account(caller.account).password else { return }
        guard let password else { throw JournalError(.invalid, field: "current", "is required") }
        let source = SignInSource(caller.source)
        try await admitAttempt(.current(caller.account), at: caller.account, source)
        guard try await journal.signIns.worker.matches(password, set) else {
            throw try await failedSignIn(
                at: caller.account,
                source,
                reason: "a wrong current password",
                JournalError(.refused, field: "current", "the current password is wrong")
            )
        }
        journal.signIns.limiter.succeed(.current(caller.account), from: nil)
    }
}
