package import FoundationEssentials
internal import LMDB
internal import Platform

/// The erased subjects and the slots of erased entries of a journal, as found in its folder without any key.
package enum ErasedSubjects {
    /// Returns the subjects that the key file or the log of a journal marks as erased.
    ///
    /// At least one of the two must be readable. Throws `.differentHistory` if the folder is that of another journal
    /// than `id`.
    package static func known(
        to folder: JournalFolder,
        of id: UUID,
        options: EventLog.Options = EventLog.Options()
    ) throws(EventLogError) -> Set<UUID> {
        var subjects: Set<UUID> = []
        var failure: EventLogError?
        do throws(EventLogError) {
            subjects = try byEvents(open(folder, options), of: id)
        } catch {
            // A damaged log is a common reason for a restore: continue with the key file.
            guard error.code != .differentHistory else { throw error }
            failure = error
        }
        do throws(EventLogError) {
            return try subjects.union(byKeys(folder.keyFile, of: id))
        } catch {
            if error.code == .differentHistory { throw error }
            if let failure { throw failure }
            return subjects
        }
    }

    /// Returns the entries that the log of a journal records as erased; none if the log cannot be read.
    package static func knownEntries(
        to folder: JournalFolder,
        options: EventLog.Options = EventLog.Options()
    ) -> Set<ErasedEntry> {
        var entries: Set<ErasedEntry> = []
        let log = try? open(folder, options)
        try? log?
            .forEachFrame(through: .max) { frame in
                if let entry = ErasedEntry(erasedBy: frame.header) { entries.insert(entry) }
                return true
            }
        return entries
    }

    private static func open(_ folder: JournalFolder, _ options: EventLog.Options) throws(EventLogError) -> EventLog {
        var reading = options
        reading.isReadOnly = true
        (reading.witness, reading.formerWitnesses) = (nil, [])
        return try EventLog(folder: folder, masterKey: nil, options: reading)
    }

    private static func byEvents(_ log: EventLog, of id: UUID) throws(EventLogError) -> Set<UUID> {
        guard log.description.id == id else { throw isOther(log.folder.path) }
        var subjects: Set<UUID> = []
        do {
            try log.forEachFrame(through: log.head()) { frame in
                if let subject = EventLog.erasure(by: frame) { subjects.insert(subject) }
                return true
            }
        } catch {
            throw EventLogError(error, "the log in \(log.folder.path) cannot be read")
        }
        return subjects
    }

    private static func byKeys(_ path: String, of id: UUID) throws(EventLogError) -> Set<UUID> {
        do {
            let file = try DurableFile(path: path, mode: .read)
            let header = try file.read(at: 0, count: KeyFile.slotLength)
            guard header.count == KeyFile.slotLength, header.starts(with: KeyFile.magic) else {
                throw EventLogError(.damaged, "\(path) is not a key file")
            }
            guard KeyFile.uuid(in: header, at: 8) == id else { throw isOther(path) }
            var subjects: Set<UUID> = []
            var start = KeyFile.slotLength
            while case let slot = try file.read(at: start, count: KeyFile.slotLength), slot.count == KeyFile.slotLength
            {
                if slot[0] == KeyFile.State.erased { subjects.insert(KeyFile.subject(of: slot[...])) }
                start += slot.count
            }
            return subjects
        } catch {
            throw EventLogError(error, "\(path) cannot be read")
        }
    }

    private static func isOther(_ path: String) -> EventLogError {
        EventLogError(
            .differentHistory,
            "\(path) belongs to another journal than the backup; name the journal that was backed up"
        )
    }
}
