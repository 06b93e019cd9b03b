package import Crypto
package import FoundationEssentials
internal import LMDB

/// The data keys of a journal's subjects, opened with the master key as they are needed.
package final class KeyStore: Sendable {
    private let journal: UUID
    /// Whether payloads can be opened at all.
    package let hasMasterKey: Bool
    private let state: Guarded<State>

    struct State {
        /// Nil without a master key: then the key file is not even looked for.
        var file: OpenKeyFile?
        var known = KnownKeys()
        /// The file's count of changes when `known` was read.
        var changes: UInt64?
    }

    /// Makes the key file of a new journal, under the log's write lock.
    static func create(in folder: JournalFolder, journal: UUID, master: MasterKey) throws(EventLogError) {
        do {
            try DurableFile.makeFolder(folder.keys)
            let path = folder.keyFile
            // One without a key was left by an attempt that was cut off.
            if try hasKeys(in: folder) {
                throw EventLogError(
                    .journalExists,
                    "\(path) holds the keys of a journal whose log is gone; put its log back, or move the file away"
                )
            }
            try DurableFile.replace(path, with: KeyFile.header(journal: journal, master: master))
        } catch {
            throw EventLogError(error, "the key file cannot be made")
        }
    }

    /// Whether there is a key file with the key of any subject: of a journal that may hold events.
    static func hasKeys(in folder: JournalFolder) throws(LMDBError) -> Bool {
        guard DurableFile.exists(folder.keyFile) else { return false }
        return try DurableFile(path: folder.keyFile, mode: .read).size > KeyFile.slotLength
    }

    /// Opens the key file, if there is a master key; without one nothing can be opened or sealed.
    init(folder: JournalFolder, journal: UUID, master: MasterKey?, isReadOnly: Bool) throws(EventLogError) {
        self.journal = journal
        hasMasterKey = master != nil
        var state = State()
        if let master {
            state.file = try OpenKeyFile(
                path: folder.keyFile,
                journal: journal,
                master: master,
                isReadOnly: isReadOnly
            )
        }
        self.state = Guarded(state)
    }

    /// The key of a subject.
    package func key(for subject: UUID) throws(EventLogError) -> SymmetricKey {
        try withKnown("the payloads cannot be read without the master key") { known, file throws(EventLogError) in
            if let key = try known.key(of: subject, in: file) { return key }
            try known.refresh(from: file)
            if let key = try known.key(of: subject, in: file) { return key }
            if known.erased.contains(subject) {
                throw EventLogError(.subjectErased, "the data of this subject was erased")
            }
            // Its slot may be one whose subject was damaged, and that was restored since.
            try known.openAll(in: file)
            if let key = try known.key(of: subject, in: file) { return key }
            // The old file is overwritten when another has taken its place.
            guard file.isCurrent else { throw OpenKeyFile.rotated }
            throw KeyStore.keyMissing
        }
    }

    private static var keyMissing: EventLogError {
        EventLogError(.damaged, "the key file lacks the key of a subject; restore it from a backup")
    }

    /// Subjects whose data nobody may read any more; none without a master key.
    package func erased() throws(EventLogError) -> Set<UUID> {
        guard hasMasterKey else { return [] }
        return try withKnown("") { known, _ throws(EventLogError) in known.erased }
    }

    /// Where the log ended when a subject's key was shut off, if it is not destroyed yet.
    func condemned(_ subject: UUID) throws(EventLogError) -> UInt64? {
        guard hasMasterKey else { return nil }
        return try withKnown("") { known, _ throws(EventLogError) in known.condemned[subject] }
    }

    /// Makes sure that each subject has a key.
    func ensure(_ subjects: Set<UUID>) throws(EventLogError) {
        _ = try sealingKeys(of: Array(subjects))
    }

    /// The key of each subject, made where there is none, with one sync for all that are new.
    func sealingKeys(of subjects: [UUID]) throws(EventLogError) -> [SymmetricKey] {
        try withKnown("nothing can be added without the master key") { known, file throws(EventLogError) in
            if let keys = try known.liveKeys(of: subjects, in: file) { return keys }
            try file.locked {
                try known.refresh(from: file)
                try KeyStore.addMissing(Set(subjects), &known, file)
            }
            guard let keys = try known.liveKeys(of: subjects, in: file) else { throw KeyStore.keyMissing }
            return keys
        }
    }

    /// Runs `body` on what the file says, read again if another process has taken keys away.
    private func withKnown<Result>(
        _ withoutKey: String,
        _ body: (inout KnownKeys, OpenKeyFile) throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        try withState(withoutKey) { state, file throws(EventLogError) in
            let changes = file.changes
            if changes == KeyFile.superseded, !file.isCurrent { throw OpenKeyFile.rotated }
            if changes != state.changes {
                state.known = KnownKeys()
                try state.known.refresh(from: file)
                state.changes = changes
            }
            return try body(&state.known, file)
        }
    }

    /// Runs `body` while no other thread is at the keys.
    func withState<Result>(
        _ withoutKey: String,
        _ body: (inout State, OpenKeyFile) throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        try state.withLock { state throws(EventLogError) in
            guard let file = state.file else { throw EventLogError(.masterKeyMissing, withoutKey) }
            return try body(&state, file)
        }
    }

    private static func addMissing(_ subjects: Set<UUID>, _ known: inout KnownKeys, _ file: OpenKeyFile) throws {
        guard known.erased.isDisjoint(with: subjects) else {
            throw EventLogError(.subjectErased, "the data of this subject was erased; nothing can be added to it")
        }
        var missing = try subjects.filter { try known.key(of: $0, in: file) == nil }
        if !missing.isEmpty {
            // As above.
            try known.openAll(in: file)
            missing = try missing.filter { try known.key(of: $0, in: file) == nil }
        }
        // A second key would not open what was sealed with the first, and would stand in the way of its return.
        guard missing.isDisjoint(with: known.damaged) else {
            throw EventLogError(.damaged, "the key of a subject is damaged; restore the key file from a backup")
        }
        if !missing.isEmpty {
            var bytes: [UInt8] = []
            for subject in missing {
                let key = SymmetricKey(size: .bits256)
                bytes += try KeyFile.slot(subject: subject, key: key, journal: file.journal, master: file.master)
            }
            // A part of a slot that a crash left at the end is overwritten.
            try file.file.write(bytes, at: KeyFile.offset(of: known.slotsRead), isSynced: false)
            try known.refresh(from: file)
        }
        // Of a slot that is not new an earlier sync may have failed, and the system then takes it for written: once more.
        for subject in subjects.subtracting(missing) {
            guard let number = known.unfinished[subject], let key = try known.key(of: subject, in: file) else {
                continue
            }
            let slot = try KeyFile.slot(subject: subject, key: key, journal: file.journal, master: file.master)
            try file.file.write(slot, at: KeyFile.offset(of: number), isSynced: false)
        }
        try finish(subjects, &known, file.file)
    }

    /// Marks keys live: those that were just written, and those of a process that did not come so far.
    private static func finish(_ subjects: Set<UUID>, _ known: inout KnownKeys, _ file: DurableFile) throws(LMDBError) {
        let slots = subjects.compactMap { known.unfinished[$0] }.sorted()
        guard let last = slots.last else { return }
        // Before, so that a slot which is marked is whole; after, so that the mark stays.
        try file.sync()
        for slot in slots {
            try file.write([KeyFile.State.live], at: KeyFile.offset(of: slot), isSynced: slot == last)
        }
        for subject in subjects { known.finished(subject) }
    }
}
