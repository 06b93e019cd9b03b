internal import EventLog
package import FoundationEssentials
internal import HealthModel

extension Journal {
    /// Ends a session of the caller's own account, or of any for the one who runs the journal.
    package func endSession(
        _ session: UUID,
        of account: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await retrying {
            if account != caller.account {
                try await requireAdministrator(caller)
            } else {
                try await requireScope(caller)
            }
            return try await changeAccount(account, .endSession(session), caller)
        }
    }
}
