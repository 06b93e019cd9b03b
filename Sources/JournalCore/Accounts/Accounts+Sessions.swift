internal import EventLog
package import FoundationEssentials
package import HealthModel

extension Journal.Accounts {
    /// Ends a session of the caller's own account, or of any account for callers who run the journal.
    package func endSession(
        _ session: UUID,
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.once(caller) {
            try await journal.access.admit(caller, to: action(.manageCredentials, ofAccount: account, caller))
            return try await changeAccount(account, .endSession(session), caller)
        }
    }
}

extension Journal.Accounts {
    /// Returns when the session of a caller expires; nil for a caller without a session.
    package func expiry(of caller: Caller) async throws(JournalError) -> Instant? {
        guard let session = caller.session else { return nil }
        return try await journal.retrying {
            try journal.directory.account(caller.account, journal.log, journal.permissions)?.sessions[session]?.expires
        }
    }
}
