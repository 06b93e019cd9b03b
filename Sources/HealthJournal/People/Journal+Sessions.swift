internal import EventLog
package import FoundationEssentials
internal import HealthModel

extension Journal {
    /// Ends a session of the caller's own account, or of any for those who run the journal.
    package func endSession(
        _ session: UUID,
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await retrying {
            _ = try await actsForItself(account, caller)
            return try await changeAccount(account, .endSession(session), caller)
        }
    }
}
