internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel

extension Journal {
    /// Sets the password of an account and ends its sessions, except the caller's own session.
    ///
    /// Allowed to the account itself and to those who run the journal. The caller confirms the change with the
    /// `current` password of their own account, if it has one. Tokens and identities remain valid without the password,
    /// except those in `revoking`, which end with the change.
    package func setPassword(
        of account: UUID,
        to password: String,
        current: String? = nil,
        revoking revocation: Revocation = .nothing,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            try await admit(caller, to: action(.setPassword, ofAccount: account, caller))
            let password = try Password(setting: password)
            try await confirm(caller, current, creatingAccessUntil: nil)
            let hash = try await signIns.worker.hash(password)
            let version = try log.version(of: account)
            let state = try self.account(account)
            let ended = try revocation.commands(for: state, keeping: caller.token, now: now)
            return try await changeAccount(account, .setPassword(hash, keeping: caller.session), caller) {
                change throws in
                change.expect(account, .exact(version))
                for command in ended {
                    for event in try decide(command, state, now: now) {
                        try change.add(event, stream: account, subject: account)
                    }
                    if case .unlinkIdentity(let id) = command, let claimed = state.identities[id]?.identity.claimed {
                        try claimOnce(.release(holder: account), on: .identity, claimed, field: "subject", &change)
                    }
                }
            }
        }
    }

    /// Returns the valid tokens and the linked identities of an account, which work independently of its password.
    package func credentials(
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> (tokens: [TokenState], identities: [IdentityState]) {
        let now = now
        return (
            try await tokens(of: account, caller).filter { $0.isValid(at: now) },
            try await identities(of: account, caller)
        )
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
        guard try await signIns.worker.matches(password, set) else {
            throw try await failedSignIn(
                at: caller.account,
                source,
                reason: "a wrong current password",
                JournalError(.refused, field: "current", "the current password is wrong")
            )
        }
        signIns.limiter.succeed(.current(caller.account), from: nil)
    }
}
