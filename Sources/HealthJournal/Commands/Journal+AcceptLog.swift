internal import EventLog
internal import FoundationEssentials
internal import HealthModel

extension Journal {
    /// Takes the log for what it is, though it does not extend what was proven of it; the event that says so comes first.
    package func acceptLog(_ caller: Caller) async throws(JournalError) -> WriteResult {
        do {
            // Others are refused without a trace: nothing can be appended to such a log.
            guard try caller.account == account(named: Journal.ownerName)?.id else {
                throw JournalError(.refused, "only the account \(Journal.ownerName) may do that")
            }
            guard let rollback = log.rollback else {
                throw JournalError(.conflict, "the log extends what was proven of it: there is nothing to accept")
            }
            var change = try Change(self, caller)
            try change.add(
                .journalAccepted(
                    expectedSize: rollback.proven?.size ?? 0,
                    expectedRoot: rollback.proven?.root.bytes ?? [],
                    foundSize: rollback.found
                ),
                stream: log.description.id,
                subject: log.description.id
            )
            guard let event = change.events.first else { throw JournalError(.failed, "there is nothing to append") }
            return WriteResult(position: try await log.acceptRollback(event).last)
        } catch {
            throw JournalError(error)
        }
    }
}
