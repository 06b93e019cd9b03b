package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents

/// A backup that was made or at least started, as recorded in the journal.
package struct KnownBackup: Hashable, Sendable {
    /// The path of the folder at that time.
    package let place: String
    /// The position of the last event in the backup; 0 for a backup that was started but not finished.
    package let head: UInt64
    /// The position of the event that recorded the backup.
    package let position: UInt64
    package let at: Instant
}

/// The backups that were made of the journal.
extension Journal {
    /// Returns the newest backup at each path, sorted by path.
    ///
    /// Data that was erased at a position after a backup's head can still be read from that backup.
    package func backups() throws(JournalError) -> [KnownBackup] {
        do {
            var newest: [String: KnownBackup] = [:]
            for recorded in try log.recordedEvents(of: backupStream()) {
                guard let backup = recorded.event.data as? JournalBackedUp else { continue }
                newest[backup.place] = KnownBackup(
                    place: backup.place,
                    head: backup.head,
                    position: recorded.stamp.position,
                    at: recorded.stamp.recordedAt
                )
            }
            return newest.values.sorted { $0.place < $1.place }
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the stream of the backups that were made, and of the restore that this journal came from.
    package func backupStream() throws(EventLogError) -> UUID {
        try log.opaqueID(of: "backups", subject: log.description.id)
    }
}
