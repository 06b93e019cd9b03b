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
    ///
    /// A new key that this journal does not need is left alone: it may be another journal's, or half of one.
    package static func settle(_ path: String, for folder: JournalFolder) throws(EventLogError) {
        guard DurableFile.exists(beside(path)) else { return }
        try alone(path) { try settleAlone(path, for: folder) }
    }

    private static func settleAlone(_ path: String, for folder: JournalFolder) throws(LMDBError) {
        guard let new = try? MasterKey(file: beside(path)), new.opens(folder) else { return }
        try putInPlace(path)
    }

    /// Gives the journal a new master key; answers where the old one is kept, for backups that were made under it.
    package static func rotate(_ path: String, of log: EventLog) throws(EventLogError) -> String {
        try alone(path) {
            try settleAlone(path, for: log.folder)
            let old = try MasterKey(file: path)
            guard old.opens(log.folder) else {
                throw EventLogError(.masterKeyWrong, "the master key at \(path) is not the one of this journal")
            }
            // Nothing of this journal is sealed under what an attempt left there; of another one something may be.
            if DurableFile.exists(beside(path)) {
                try DurableFile.rename(beside(path), to: free("\(path).unused-\(stamp(log.now()))"))
            }
            let kept = try keep(old, beside: path, at: log.now())
            let new = MasterKey()
            try new.write(to: beside(path))
            try log.rotateMasterKey(to: new)
            try putInPlace(path)
            return kept
        }
    }

    /// Runs `body` while no other process changes the key, or brings a change to its end.
    private static func alone<Result>(_ path: String, _ body: () throws -> Result) throws(EventLogError) -> Result {
        do {
            return try DurableFile(path: path, mode: .read).locked(body)
        } catch {
            throw EventLogError(error, "the master key at \(path) cannot be changed")
        }
    }

    private static func free(_ name: String) throws(EventLogError) -> String {
        guard let free = ([name] + (2...99).map { "\(name)-\($0)" }).first(where: { !DurableFile.exists($0) }) else {
            throw EventLogError(.storage, "there are too many unused master keys at \(name); put them elsewhere")
        }
        return free
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
