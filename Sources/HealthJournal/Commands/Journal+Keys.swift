internal import EventLog
internal import FoundationEssentials
internal import HealthModel

extension Journal {
    /// Gives the journal a new master key; answers where the old one is kept.
    ///
    /// The log is left as it is. Other processes that have the journal open must begin again.
    package func rotateMasterKey(at path: String, _ caller: Caller) async throws(JournalError) -> (
        position: UInt64, oldKey: String
    ) {
        do {
            try await requireAdministrator(caller)
            let kept = try MasterKeyFile.rotate(path, of: log)
            var change = try Change(self, caller)
            try change.add(.masterKeyRotated, stream: log.description.id, subject: log.description.id)
            return (try await change.commit()?.last ?? log.head(), kept)
        } catch {
            throw JournalError(error)
        }
    }
}
