package import EventLog
internal import FoundationEssentials
internal import HealthModel
package import JournalCore

extension Journal.Maintenance {
    /// Gives the journal a new master key; returns its path, and the path where the old one is kept.
    ///
    /// The log is not changed, except for the event that records the rotation. Other processes that have the journal
    /// open must open it again.
    package func rotateMasterKey(at path: String, _ caller: Caller) async throws(JournalError) -> (
        position: UInt64, key: String, oldKey: String
    ) {
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
            let rotated = try MasterKeyFile.rotate(path, of: journal.log)
            var change = try Change(journal, caller)
            try change.add(.masterKeyRotated, in: .own(journal.log.description.id))
            return (try await change.commit()?.last ?? journal.log.head(), rotated.key, rotated.old)
        } catch {
            throw JournalError(error)
        }
    }

    /// Repeats the erasures that an older key file undid, and records that, if there are any; the log lists them.
    package func repeatErasures(_ caller: Caller) async throws(JournalError) -> UndoneErasures {
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
            let repeated = try journal.log.repeatErasures()
            if !repeated.isEmpty {
                var change = try Change(journal, caller)
                let event = JournalEvent.erasuresRepeated(count: repeated.count)
                try change.add(event, in: .own(journal.log.description.id))
                _ = try await change.commit()
            }
            return repeated
        } catch {
            throw JournalError(error)
        }
    }
}
