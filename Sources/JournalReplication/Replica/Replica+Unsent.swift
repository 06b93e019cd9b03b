package import FoundationEssentials
package import HealthModel
package import JournalCore

extension Replica {
    /// Returns the changes to send next, in the order in which they were made.
    ///
    /// With `retrying`, also those that were refused before.
    package func unsent(after number: UInt64, retrying: Bool) throws(JournalError) -> [SyncCommand] {
        let through = state.through
        var batch: [SyncCommand] = []
        var bytes = 0
        for item in try outbox.items()
        where item.change.seq > number && (item.isRefused ? retrying : item.isMissing(through: through)) {
            bytes += item.change.line.count + 1
            guard batch.count < SyncCommand.batch, bytes <= SyncCommand.batchBytes || batch.isEmpty else { break }
            batch.append(item.change)
        }
        return batch
    }

    /// Prepares the replica for a service that was restored to an older state.
    ///
    /// All changes that it still has are sent again, as changes of a device that the service knows: it may have lost
    /// them, and otherwise answers that it has them. The mirror is deleted, so that everything is fetched again.
    package func restart(as device: UUID) async throws(JournalError) {
        do {
            try update { $0.device = device }
            try await outbox.restart(as: device)
        } catch {
            throw JournalError(error)
        }
        try forgetMirror()
    }

    /// Records what the service answered to changes.
    package func answered(
        _ answers: [(change: SyncCommand, answer: Outbox.Answer)]
    ) async throws(JournalError) {
        // A refused change is not shown any more.
        if answers.contains(where: { $0.answer.outcome == .refused }) {
            do { try discardWork() } catch { throw JournalError(error) }
        }
        try await outbox.record(answers)
    }

    /// Removes changes that were refused from the outbox, because the user gives them up.
    package func discard(_ changes: [SyncCommand]) async throws(JournalError) {
        try await outbox.remove(changes)
        try await compact(always: true)
    }
}
