internal import FoundationEssentials
internal import Platform

extension KeyStore {
    /// Seals all data keys under a new master key.
    ///
    /// The log does not change. The slots of the old key file are overwritten with zeros, unless the file has another
    /// hard link: then it also belongs to a copy of the journal, which needs the old key file as any backup does. Other
    /// processes that have the journal open fail until they are restarted with the new key.
    func rotate(to new: MasterKey) throws(EventLogError) {
        try changing("the master key cannot be changed without the old one", in: .ordinary) { old in
            let bytes = try KeyStore.resealed(old, to: new)
            old.noteSuperseded()
            do {
                try DurableFile.replace(old.path, with: bytes)
            } catch {
                // If the new file did not take its place, this one stays the current one.
                if old.isCurrent { noting(old) {} }
                throw error
            }
            if old.file.status?.linkCount == 0 { try KeyStore.overwrite(old.file) }
            use(try OpenKeyFile(path: old.path, journal: old.journal, master: new, isReadOnly: false))
        }
    }

    private static func resealed(_ old: OpenKeyFile, to new: MasterKey) throws -> [UInt8] {
        var bytes = KeyFile.header(journal: old.journal, master: new)
        var damaged = 0
        try old.forEachSlot { slot, _ throws(EventLogError) in
            if let sealed = try KeyFile.resealed(slot, journal: old.journal, from: old.master, to: new) {
                bytes += sealed
            } else {
                damaged += 1
            }
        }
        // The new key file cannot contain the damaged slots, so that their keys would be lost permanently.
        guard damaged == 0 else {
            throw EventLogError(
                .damaged,
                "\(damaged) data keys are damaged and cannot be sealed again; restore the key file from a backup first"
            )
        }
        return bytes
    }

    /// Overwrites the slots, but not the header, whose `changesWord` informs other processes.
    private static func overwrite(_ file: DurableFile) throws(StorageError) {
        let start = KeyFile.slotLength
        try file.write([UInt8](repeating: 0, count: max(0, file.size - start)), at: start)
    }
}

extension EventLog {
    /// Replaces the master key with which the journal was opened.
    package func rotateMasterKey(to new: MasterKey) throws(EventLogError) {
        guard !isReadOnly else { throw EventLogError(.readOnly, "the log was opened read-only") }
        try keys.rotate(to: new)
    }
}
