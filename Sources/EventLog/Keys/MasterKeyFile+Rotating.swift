internal import FoundationEssentials
internal import LMDB

/// Putting a new master key in the place of the old one, in a way that may be cut off anywhere.
///
/// The new key is on the disk beside the old one before the journal's data keys are sealed under it, and takes the old
/// one's name afterwards. Whoever opens the journal in between takes the one that fits.
extension MasterKeyFile {
    private static func beside(_ path: String) -> String { path + ".new" }

    /// The master key that fits the journal: the one of that name, or the one that is about to take its place.
    package static func read(_ path: String, for folder: JournalFolder) throws(EventLogError) -> MasterKey {
        if DurableFile.exists(beside(path)), let new = try? MasterKey(file: beside(path)), new.opens(folder) {
            return new
        }
        return try MasterKey(file: path)
    }

    /// Brings a change of the master key to its end that was cut off, if there was one.
    package static func settle(_ path: String, for folder: JournalFolder) throws(EventLogError) {
        guard DurableFile.exists(beside(path)), let new = try? MasterKey(file: beside(path)) else { return }
        do throws(LMDBError) {
            if new.opens(folder) {
                try putInPlace(path)
            } else {
                // Never used: the data keys were not sealed under it.
                try DurableFile.remove(beside(path))
            }
        } catch {
            throw EventLogError(.storage, "the new master key cannot be put in the place of the old one: \(error)")
        }
    }

    /// Gives the journal a new master key; answers where the old one is kept, for backups that were made under it.
    package static func rotate(_ path: String, of log: EventLog) throws(EventLogError) -> String {
        try settle(path, for: log.folder)
        let old = try MasterKey(file: path)
        guard old.opens(log.folder) else {
            throw EventLogError(.masterKeyWrong, "the master key at \(path) is not the one of this journal")
        }
        do throws(LMDBError) {
            // Half a key that an attempt left: the journal opens with the old one, so that nothing is sealed under it.
            try DurableFile.remove(beside(path))
        } catch {
            throw EventLogError(.storage, "\(beside(path)) is in the way of a new master key: \(error)")
        }
        let kept = try keep(old, beside: path, at: log.now())
        let new = MasterKey()
        try new.write(to: beside(path))
        try log.rotateMasterKey(to: new)
        do throws(LMDBError) {
            try putInPlace(path)
        } catch {
            throw EventLogError(.storage, "the new master key is at \(beside(path)), and cannot be renamed: \(error)")
        }
        return kept
    }

    /// Writes the old key under a name that says until when it was the key.
    private static func keep(_ old: MasterKey, beside path: String, at time: Int64) throws(EventLogError) -> String {
        let name = "\(path).until-\(stamp(time))"
        // Two changes in one second have two names; one that was cut off has written its key already.
        for free in [name] + (2...99).map({ "\(name)-\($0)" }) {
            if let same = try? MasterKey(file: free), same.fingerprint == old.fingerprint { return free }
            guard !DurableFile.exists(free) else { continue }
            try old.write(to: free)
            return free
        }
        throw EventLogError(.storage, "there are too many old master keys at \(name); put them elsewhere")
    }

    private static func putInPlace(_ path: String) throws(LMDBError) {
        try DurableFile.rename(beside(path), to: path)
        try DurableFile.syncFolder(of: path)
    }

    /// A time as a file's name may hold it.
    private static func stamp(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000).ISO8601Format()
            .replacing(":", with: "-")
    }
}

extension MasterKey {
    /// Whether the data keys of a journal are sealed under this key.
    func opens(_ folder: JournalFolder) -> Bool {
        guard let file = try? DurableFile(path: folder.keyFile, mode: .read),
            let header = try? file.read(at: 0, count: KeyFile.slotLength)
        else { return false }
        return KeyFile.fingerprint(in: header) == fingerprint
    }
}
