package import EventLog
internal import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// A backup that was made, or at least begun, as the journal remembers it.
package struct KnownBackup: Hashable, Sendable {
    /// The folder, as it was then.
    package let place: String
    /// The position of the last event that it holds.
    package let head: UInt64
    package let at: Instant
}

extension Journal {
    /// Brings a folder up to date as a backup of the journal, and keeps on record that it was.
    ///
    /// For the one who runs the journal: a backup holds all records.
    package func backUp(
        to path: String,
        _ caller: Caller,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) async throws(JournalError) -> (report: BackupReport, position: UInt64) {
        do {
            try await requireAdministrator(caller)
            let place = try log.prepareBackup(in: path)
            if try !backups().contains(where: { $0.place == place }) {
                // Killed before it is done, the first backup there may hold keys: receipts are to name it.
                _ = try await keepOnRecord(backupIn: place, head: log.head(), caller)
            }
            let report = try log.backUp(to: place, progress: progress)
            return (report, try await keepOnRecord(backupIn: place, head: report.head, caller))
        } catch {
            throw JournalError(error)
        }
    }

    private func keepOnRecord(backupIn place: String, head: UInt64, _ caller: Caller) async throws -> UInt64 {
        var change = try Change(self, caller)
        try change.add(.backingUp(to: place, head: head), stream: try backupStream(), subject: log.description.id)
        return try await change.commit()?.last ?? 0
    }

    /// The newest backup in each place where one was made, sorted by the place.
    ///
    /// What was erased at a position behind a backup's head can still be read from it.
    package func backups() throws(JournalError) -> [KnownBackup] {
        do {
            var newest: [String: KnownBackup] = [:]
            for recorded in try log.recordedEvents(of: backupStream()) {
                guard case .journalBackedUp(let place, let head) = recorded.event else { continue }
                newest[place] = KnownBackup(place: place, head: head, at: recorded.stamp.recordedAt)
            }
            return newest.values.sorted { $0.place < $1.place }
        } catch {
            throw JournalError(error)
        }
    }

    /// Backups that were made, and the restore that this journal came from.
    func backupStream() throws(EventLogError) -> UUID {
        try log.opaqueID(of: "backups", subject: log.description.id)
    }
}
