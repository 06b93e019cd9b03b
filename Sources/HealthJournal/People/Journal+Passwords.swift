internal import CaregiverPermissions
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
            let isOwn = try await requireSettingPassword(of: account, caller)
            let password = try Password(setting: password)
            if isOwn { try await requireCurrent(current, caller) }
            let hash = try await signIns.worker.hash(password)
            return try await changeAccount(account, .setPassword(hash, keeping: caller.session), caller)
        }
    }

    /// Requires somebody who may give an account a password; answers whether it is their own.
    @discardableResult
    package func requireSettingPassword(of account: UUID, _ caller: Caller) async throws -> Bool {
        let isOwn = try await actsForItself(account, caller)
        if !isOwn, try !maySetPassword(of: account, caller) {
            throw try await refusal(of: caller, .manage, because: Journal.standingInRefusal)
        }
        return isOwn
    }

    /// Whether somebody who runs the journal may give another account a password.
    ///
    /// An administrator lets newcomers in, and takes nobody's place.
    package func maySetPassword(of account: UUID, _ caller: Caller) throws -> Bool {
        try !standsInFor(account, caller) || isNewcomer(account)
    }

    static var standingInRefusal: String {
        "an administrator sets the first password of a person who has nothing here yet, and no other"
    }

    /// Whether an account is a person's who was never in, and whom nothing would be taken from by coming first.
    private func isNewcomer(_ id: UUID) throws -> Bool {
        let account = try account(id)
        guard account.kind == .person, account.password == nil, account.tokens.isEmpty, account.sessions.isEmpty,
            account.identities.isEmpty
        else { return false }
        if try self.account(named: Journal.ownerName)?.id == id { return false }
        return try permissions.records(of: id, asOf: log.head()).isEmpty
    }

    /// A session that was left open must not be enough to lock its owner out.
    ///
    /// On the machine itself it is not asked for: there the master key lies, and a password may have been forgotten.
    package func requireCurrent(_ password: String?, _ caller: Caller) async throws {
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
