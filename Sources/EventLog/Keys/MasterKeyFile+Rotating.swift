internal import FoundationEssentials
internal import LMDB
internal import Platform

/// Replacement of the master key, in steps that a crash may interrupt at any point.
///
/// The new key is written to disk beside the old one before the journal's data keys are sealed under it, and is renamed
/// to the old key's name afterwards. A process that opens the journal in between uses the key that fits.
extension MasterKeyFile {
    private static func beside(_ path: String) -> String { real(path) + ".new" }

    /// Returns the path with symbolic links resolved, so that the file itself is replaced and not a link to it.
    private static func real(_ path: String) -> String { Folder.resolved(path) ?? path }

    /// Reads the new master key of an unfinished rotation if it fits the journal, or else the key at the path.
    ///
    /// The key at the path is not checked against the journal.
    package static func read(_ path: String, for folder: JournalFolder) throws(EventLogError) -> MasterKey {
        if DurableFile.exists(beside(path)), let new = try? MasterKey(file: beside(path)), new.opens(folder) {
            return new
        }
        return try MasterKey(file: path)
    }

    /// Reads the master key and checks that it fits the journal.
    ///
    /// If it does not, the error names a key file in the same folder that does, if there is one.
    package static func open(_ path: String, for folder: JournalFolder) throws(EventLogError) -> MasterKey {
        let problem: EventLogError
        do throws(EventLogError) {
            let key = try read(path, for: folder)
            // If the journal's own key file cannot be read, opening the journal reports that.
            guard let sealed = MasterKey.fingerprint(sealing: folder), sealed != key.fingerprint else { return key }
            problem = EventLogError(.masterKeyWrong, "the master key at \(path) does not belong to this journal")
        } catch {
            problem = error
        }
        guard let sealed = MasterKey.fingerprint(sealing: folder),
            let match = matching(sealed, beside: path, journal: folder.sealedJournal)
        else {
            guard problem.code == .masterKeyWrong else { throw problem }
            throw EventLogError(.masterKeyWrong, "\(problem.message); name the right one with --master-key-file")
        }
        throw EventLogError(
            problem.code,
            "\(problem.message); the matching one is \(match): name it with --master-key-file"
        )
    }

    /// Returns the path of a master key with that fingerprint in the same folder as `path`, or nil.
    ///
    /// Considers former keys of `path`, and the keys of the journal and its copies.
    static func matching(_ fingerprint: [UInt8], beside path: String, journal: UUID?) -> String? {
        let own = String(path.dropFirst(folder(of: path).count))
        let id = journal?.uuidString.lowercased()
        return files(beside: path) { name in name.hasPrefix(own) || id.map { name.hasPrefix($0) } == true }
            .first { (try? MasterKey(file: $0))?.fingerprint == fingerprint }
    }

    /// Completes an interrupted change of the master key, if there is one.
    ///
    /// A new key that does not fit this journal is left alone: it may belong to another journal, or be incomplete.
    package static func settle(_ path: String, for folder: JournalFolder) throws(EventLogError) {
        guard DurableFile.exists(beside(path)) else { return }
        try alone(path) { try settleAlone(path, for: folder) }
    }

    private static func settleAlone(_ path: String, for folder: JournalFolder) throws(StorageError) {
        guard let new = try? MasterKey(file: beside(path)), new.opens(folder) else { return }
        try putInPlace(path)
    }

    /// Gives the journal a new master key, and returns the path of the new key and that of the old one.
    ///
    /// The old key is kept for backups made under it. A copy of a journal shares its master key file with other copies,
    /// which must not lose access: the new key of a copy is written to a separate file, and the old one is not moved.
    package static func rotate(_ path: String, of log: EventLog) throws(EventLogError) -> (key: String, old: String) {
        let journal = log.description.id
        let own = own(of: journal, in: log.folder, besideKey: path)
        let isCopy =
            try RestoredMark(in: log.folder) != nil || FolderLocation(of: log.folder, journal: journal).origin != nil
        guard isCopy, real(path) != real(own) else { return (path, try rotateInPlace(path, of: log)) }
        if let left = try? MasterKey(file: own), !left.opens(log.folder) {
            try move(own, to: free("\(own).unused-\(stamp(log.now()))"))
        }
        let old = try read(path, for: log.folder)
        guard old.opens(log.folder) else { throw isOther(path) }
        if !DurableFile.exists(own) { try old.write(to: own, replacing: path) }
        _ = try rotateInPlace(own, of: log, keepsOld: false)
        return (own, path)
    }

    private static func isOther(_ path: String) -> EventLogError {
        EventLogError(.masterKeyWrong, "the master key at \(path) does not belong to this journal")
    }

    private static func move(_ path: String, to name: String) throws(EventLogError) {
        do throws(StorageError) {
            try DurableFile.rename(path, to: name)
        } catch {
            throw EventLogError(error)
        }
    }

    /// Replaces the key at `path` with a new one, and returns the path where the old key is kept.
    ///
    /// The old key is kept under another name, unless `keepsOld` is false because another file contains it.
    private static func rotateInPlace(
        _ path: String,
        of log: EventLog,
        keepsOld: Bool = true
    ) throws(EventLogError) -> String {
        try alone(path) {
            try settleAlone(path, for: log.folder)
            let old = try MasterKey(file: path)
            guard old.opens(log.folder) else { throw isOther(path) }
            // This journal has no data sealed under a new key that an interrupted attempt left, but another journal
            // may.
            if DurableFile.exists(beside(path)) {
                try DurableFile.rename(beside(path), to: free("\(real(path)).unused-\(stamp(log.now()))"))
            }
            let kept = keepsOld ? try keep(old, beside: path, at: log.now()) : path
            let new = MasterKey()
            try new.write(to: beside(path), replacing: path)
            try log.rotateMasterKey(to: new)
            try putInPlace(path)
            return kept
        }
    }

    /// Runs `body` while no other process changes the key or completes a change.
    private static func alone<Result>(_ path: String, _ body: () throws -> Result) throws(EventLogError) -> Result {
        do {
            return try DurableFile(path: path, mode: .read, followsLinks: true).locked(body)
        } catch {
            throw EventLogError(error, "the master key at \(path) cannot be changed")
        }
    }

    private static func free(_ name: String) throws(EventLogError) -> String {
        guard let free = ([name] + (2...99).map { "\(name)-\($0)" }).first(where: { !DurableFile.exists($0) }) else {
            throw EventLogError(.storage, "there are too many unused master keys at \(name); move them elsewhere")
        }
        return free
    }

    /// Writes the old key under a name that contains the time until which it was in use.
    private static func keep(_ old: MasterKey, beside path: String, at time: Int64) throws(EventLogError) -> String {
        let name = "\(real(path)).until-\(stamp(time))"
        // Two changes in the same second get different names. An interrupted attempt may have written this key already.
        for free in [name] + (2...99).map({ "\(name)-\($0)" }) {
            if let same = try? MasterKey(file: free), same.fingerprint == old.fingerprint { return free }
            guard !DurableFile.exists(free) else { continue }
            try old.write(to: free, replacing: path)
            return free
        }
        throw EventLogError(.storage, "there are too many old master keys at \(name); move them elsewhere")
    }

    private static func putInPlace(_ path: String) throws(StorageError) {
        try DurableFile.rename(beside(path), to: real(path))
        try DurableFile.syncFolder(of: real(path))
    }

    /// Returns a time in a form that is allowed in file names.
    private static func stamp(_ microseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(microseconds) / 1_000_000).ISO8601Format()
            .replacing(":", with: "-")
    }
}

extension MasterKey {
    /// Reports whether the data keys of a journal are sealed under this key.
    func opens(_ folder: JournalFolder) -> Bool {
        MasterKey.fingerprint(sealing: folder) == fingerprint
    }

    /// Returns the fingerprint of the key that seals a journal's data keys, or nil if their file cannot be read.
    static func fingerprint(sealing folder: JournalFolder) -> [UInt8]? {
        folder.keyHeader.map { KeyFile.fingerprint(in: $0) }
    }
}

extension JournalFolder {
    /// The id of the journal whose keys are stored in this folder.
    fileprivate var sealedJournal: UUID? { keyHeader.map { KeyFile.uuid(in: $0, at: 8) } }

    fileprivate var keyHeader: [UInt8]? {
        guard let file = try? DurableFile(path: keyFile, mode: .read),
            let header = try? file.read(at: 0, count: KeyFile.slotLength), header.count == KeyFile.slotLength,
            header.starts(with: KeyFile.magic)
        else { return nil }
        return header
    }
}
