internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import JournalCore

extension Journal.Maintenance {
    /// Accepts the log as it is, although it does not extend a checkpoint that is kept outside it.
    ///
    /// The event that records this comes before all others.
    package func acceptLog(_ caller: Caller) async throws(JournalError) -> WriteResult {
        do {
            // Other callers are refused without an audit entry: nothing can be appended to such a log.
            if case .denied(let why) = try journal.access.decision(on: .acceptState, by: caller) {
                throw JournalError(.refused, why)
            }
            guard let rollback = journal.log.rollback else {
                throw JournalError(.conflict, "the log is consistent with its checkpoints: there is nothing to accept")
            }
            var change = try Change(journal, caller)
            try change.add(
                .journalAccepted(
                    expectedSize: rollback.proven?.size ?? 0,
                    expectedRoot: rollback.proven?.root.bytes ?? [],
                    foundSize: rollback.found
                ),
                in: .own(journal.log.description.id)
            )
            guard let event = change.events.first else { throw JournalError(.failed, "there is nothing to append") }
            return WriteResult(position: try await journal.log.acceptRollback(event).last)
        } catch {
            throw JournalError(error)
        }
    }
}
