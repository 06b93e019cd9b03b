internal import FoundationEssentials
internal import LMDB

extension KeyStore {
    /// Seals all data keys under a new master key.
    ///
    /// The log is left as it is. The old file's bytes are overwritten; other processes are told to begin again with the
    /// new key.
    func rotate(to new: MasterKey) throws(EventLogError) {
        try withState("the master key cannot be changed without the old one") { state, old throws(EventLogError) in
            try old.locked {
                let bytes = try KeyStore.resealed(old, to: new)
                old.noteSuperseded()
                do {
                    try DurableFile.replace(old.path, with: bytes)
                } catch {
                    old.noteChange()
                    throw error
                }
                try KeyStore.overwrite(old.file)
            }
            state = State(
                file: try OpenKeyFile(path: old.path, journal: old.journal, master: new, isReadOnly: false)
            )
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
        // Under the new key they would be lost for good.
        guard damaged == 0 else {
            throw EventLogError(
                .damaged,
                "\(damaged) data keys are damaged and cannot be sealed anew; restore the key file from a backup first"
            )
        }
        return bytes
    }

    /// All but the word that tells other processes.
    private static func overwrite(_ file: DurableFile) throws(LMDBError) {
        let start = KeyFile.slotLength
        try file.write([UInt8](repeating: 0, count: max(0, file.size - start)), at: start)
    }
}

extension EventLog {
    /// Puts a new master key in the place of the one with which the journal was opened.
    package func rotateMasterKey(to new: MasterKey) throws(EventLogError) {
        guard !isReadOnly else { throw EventLogError(.readOnly, "the log was opened to be read only") }
        try keys.rotate(to: new)
    }
}
