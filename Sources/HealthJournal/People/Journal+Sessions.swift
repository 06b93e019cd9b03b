internal import EventLog
package import FoundationEssentials
package import HealthModel

extension Journal {
    /// Ends a session of the caller's own account, or of any for those who run the journal.
    package func endSession(
        _ session: UUID,
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await once(caller) {
            _ = try await actsForItself(account, caller)
            return try await changeAccount(account, .endSession(session), caller)
        }
    }
}

extension Journal {
    /// When the session that a caller showed expires; nil for a token.
    package func expiry(of caller: Caller) throws -> Instant? {
        guard let session = caller.session else { return nil }
        return try directory.account(caller.account, log, permissions)?.sessions[session]?.expires
    }
}
