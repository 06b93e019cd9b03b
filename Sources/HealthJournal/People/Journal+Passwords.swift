internal import EventLog
package import FoundationEssentials
internal import HealthModel

extension Journal {
    /// Gives an account a new password and ends its sessions, but the one by which it asks for that itself.
    ///
    /// For the account itself, which must know its `current` password if it has one, or those who run the journal.
    package func setPassword(
        of account: UUID,
        to password: String,
        current: String? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            let isOwn = try await actsForItself(account, caller)
            // An administrator lets newcomers in, and takes nobody's place.
            if !isOwn, try self.account(account).password != nil, try standsInFor(account, caller) {
                throw try await refusal(of: caller, .manage, because: "the account has a password, which is its own")
            }
            let password = try Password(setting: password)
            if isOwn { try await requireCurrent(current, caller) }
            let hash = try await signIns.worker.hash(password)
            return try await changeAccount(account, .setPassword(hash, keeping: caller.session), caller)
        }
    }

    /// A session that was left open must not be enough to lock its owner out.
    ///
    /// On the machine itself it is not asked for: there the master key lies, and a password may have been forgotten.
    private func requireCurrent(_ password: String?, _ caller: Caller) async throws {
        guard caller.source != .commandLine, let set = try account(caller.account).password else { return }
        guard let password else { throw JournalError(.invalid, field: "current", "is required") }
        let source = SignInSource(caller.source)
        try await admitAttempt(.account(caller.account), at: caller.account, source)
        guard try await signIns.worker.matches(password, set) else {
            throw try await failedSignIn(
                at: caller.account,
                source,
                because: "a wrong current password",
                JournalError(.refused, field: "current", "the current password is wrong")
            )
        }
        signIns.limiter.succeed(.account(caller.account))
    }
}
