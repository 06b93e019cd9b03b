package import Crypto
package import FoundationEssentials
internal import LMDB
internal import Platform

/// The data keys of a journal's subjects, decrypted with the master key when they are needed.
package final class KeyStore: Sendable {
    private let journal: UUID
    private let path: String
    private let reserve: DiskReserve?
    /// Whether the store has a master key, without which no payload can be opened.
    package let hasMasterKey: Bool
    private let state: Guarded<State>
    /// Locked by the thread that changes the key file: the file's lock excludes other processes, but not other threads.
    ///
    /// The value has no meaning.
    private let changer = Guarded(false)

    struct State {
        /// Nil without a master key: the key file is then not opened.
        var file: OpenKeyFile?
        var known = KeyCache()
        /// What counts as erased although the file has its keys: see `EventLog.assumeErased`.
        var assumed: Set<UUID> = []
        /// The file's change counter when `known` was read.
        var changes: UInt64?
    }

    /// Creates the key file of a new journal; the caller holds the log's write lock.
    static func create(in folder: JournalFolder, journal: UUID, master: MasterKey) throws(EventLogError) {
        do {
            try Folder.makePrivate(folder.keys)
            let path = folder.keyFile
            // A key file without a key was left by an interrupted attempt and is replaced.
            if try hasKeys(in: folder) {
                throw EventLogError(
                    .journalExists,
                    "\(path) contains the keys of a journal whose log is gone; restore its log, or move the file away"
                )
            }
            try DurableFile.replace(path, with: KeyFile.header(journal: journal, master: master))
        } catch {
            throw EventLogError(error, "the key file cannot be created")
        }
    }

    /// Reports whether there is a key file with any slot, which may belong to a journal that has events.
    static func hasKeys(in folder: JournalFolder) throws(StorageError) -> Bool {
        guard DurableFile.exists(folder.keyFile) else { return false }
        return try DurableFile(path: folder.keyFile, mode: .read).size > KeyFile.slotLength
    }

    /// Opens the key file if there is a master key; without one, nothing can be opened or sealed.
    init(
        folder: JournalFolder,
        journal: UUID,
        master: MasterKey?,
        isReadOnly: Bool,
        reserve: DiskReserve? = nil
    ) throws(EventLogError) {
        self.journal = journal
        path = folder.keyFile
        self.reserve = reserve
        hasMasterKey = master != nil
        var state = State()
        if let master {
            state.file = try OpenKeyFile(path: folder.keyFile, journal: journal, master: master, isReadOnly: isReadOnly)
        }
        self.state = Guarded(state)
    }

    /// Returns the key of a subject.
    ///
    /// Throws `subjectErased` if the key is destroyed or disabled.
    package func key(for subject: UUID) throws(EventLogError) -> SymmetricKey {
        try key { known, file throws(EventLogError) in try known.find(subject, in: file) }
    }

    /// Returns the key of an entry: see `EntryKeys`.
    ///
    /// Throws `subjectErased` if the entry or its record is erased.
    func key(forEntry entry: UUID, of record: UUID) throws(EventLogError) -> SymmetricKey {
        try key { known, file throws(EventLogError) in try known.find(entry, of: record, in: file) }
    }

    /// Returns the key that seals the payload of a frame.
    func key(of frame: RawSpan) throws(EventLogError) -> SymmetricKey {
        let subject = frame.uuid(at: FrameLayout.subject)
        guard frame.integer(at: FrameLayout.formatVersion, as: UInt8.self) == FrameLayout.versionByEntry else {
            return try key(for: subject)
        }
        return try key(forEntry: frame.uuid(at: FrameLayout.entry), of: subject)
    }

    private func key(
        _ find: (inout KeyCache, OpenKeyFile) throws(EventLogError) -> KeyCache.Found
    ) throws(EventLogError) -> SymmetricKey {
        try withKnown("the payloads cannot be read without the master key") { known, file throws(EventLogError) in
            if case .key(let key) = try find(&known, file) { return key }
            try known.refresh(from: file)
            switch try find(&known, file) {
            case .key(let key): return key
            case .erased: throw KeyStore.subjectErased
            case .missing: break
            }
            // The subject in its slot may have been damaged when the slot was read, and restored since.
            try known.openAll(in: file)
            // An entry gets its slot before its root is retired, which may have happened since the slots were read.
            try known.refresh(from: file)
            switch try find(&known, file) {
            case .key(let key): return key
            // Erased since the slots were read.
            case .erased: throw KeyStore.subjectErased
            case .missing: break
            }
            // A key file that was replaced is overwritten, so that its keys are missing.
            guard file.isCurrent else { throw OpenKeyFile.rotated }
            throw KeyStore.keyMissing
        }
    }

    private static var subjectErased: EventLogError {
        EventLogError(.subjectErased, "the data of this subject was erased")
    }

    private static var keyMissing: EventLogError {
        EventLogError(.damaged, "the key file lacks the key of a subject; restore it from a backup")
    }

    /// Returns the subjects whose keys are destroyed or disabled; empty without a master key.
    package func erased() throws(EventLogError) -> Set<UUID> {
        guard hasMasterKey else { return [] }
        return try withKnown("") { known, _ throws(EventLogError) in known.erased }
    }

    /// Returns the subjects whose keys are disabled and not destroyed.
    func markedForErasure() throws(EventLogError) -> [UUID] {
        guard hasMasterKey else { return [] }
        return try withKnown("") { known, _ in Array(known.markedForErasure.keys) }
    }

    /// Returns the log's head when a subject's key was disabled, or nil if it is not disabled or already destroyed.
    func markedForErasure(_ subject: UUID) throws(EventLogError) -> UInt64? {
        guard hasMasterKey else { return nil }
        return try withKnown("") { known, _ throws(EventLogError) in known.markedForErasure[subject] }
    }

    /// Returns the erased subjects and entries, and the roots that are no longer used: nothing can be added under them.
    func unusable() throws(EventLogError) -> (erased: Set<UUID>, retired: Set<UUID>) {
        guard hasMasterKey else { return ([], []) }
        return try withKnown("") { known, _ throws(EventLogError) in (known.erased, known.retired) }
    }

    /// Throws unless an id can be that of a subject.
    static func requireSubject(_ id: UUID) throws(EventLogError) {
        guard id != checkpointSigner, !EntryKeys.isSlot(id) else {
            throw EventLogError(.keyConflict, "that id is reserved for the journal; use another")
        }
    }

    /// Makes sure that each subject has a key.
    func ensure(_ subjects: Set<UUID>) throws(EventLogError) {
        let areLive = try withKnown(KeyStore.cannotAdd) { known, file throws(EventLogError) in
            for subject in subjects where try !known.isLive(subject, in: file) { return false }
            return true
        }
        guard !areLive else { return }
        try changing(KeyStore.cannotAdd, in: .ordinary) { file in
            var known = try newestState(of: file)
            try KeyStore.addMissing(subjects, &known, file)
            state.withLock { $0.known = known }
        }
    }

    /// Returns the key that seals each event; missing keys are created and synced together.
    ///
    /// May wait for another process that holds the lock of the key file.
    func sealingKeys(of headers: [EventHeader]) throws(EventLogError) -> [Sealing.NewKey] {
        if let keys = try liveKeys(of: headers) { return keys }
        let space: DiskSpace = headers.allSatisfy(\.mayUseReserve) ? .reserved : .ordinary
        var keys: [Sealing.NewKey]?
        try changing(KeyStore.cannotAdd, in: space) { file in
            var known = try newestState(of: file)
            var needed = Set(headers.map(\.subject))
            for header in headers where Sealing.needsRoot(header) {
                needed.insert(known.newestRoot(idOf: header.subject))
                if Sealing.isByEntry(header) { try known.requireUnerased(header.entry, of: header.subject) }
            }
            try KeyStore.addMissing(needed, &known, file)
            // Found before the file is unlocked: an erasure may retire a root at once. Whoever appends notices that.
            keys = try KeyStore.liveKeys(of: headers, &known, file)
            state.withLock { $0.known = known }
        }
        guard let keys else { throw KeyStore.keyMissing }
        return keys
    }

    /// Creates the keys that events need.
    func ensureKeys(of events: [NewEvent]) throws(EventLogError) { _ = try sealingKeys(of: events.map(\.header)) }

    /// Returns the content of the file, whose lock the caller holds.
    ///
    /// It is a copy, so that threads that need only existing keys do not wait for the disk.
    func newestState(of file: OpenKeyFile) throws(EventLogError) -> KeyCache {
        var known = try withKnown("") { known, _ in known }
        try known.refresh(from: file)
        return known
    }

    /// Reports whether the keys of each event are live, so that sealing does not wait for another process.
    func hasLiveKeys(of events: [NewEvent]) throws(EventLogError) -> Bool {
        try withKnown(KeyStore.cannotAdd) { known, file throws(EventLogError) in
            for event in events where try !known.hasLiveKeys(for: event.header, in: file) { return false }
            return true
        }
    }

    /// Returns the key that seals each event without waiting for another process, or nil if any is not live.
    func liveKeys(of headers: [EventHeader]) throws(EventLogError) -> [Sealing.NewKey]? {
        try withKnown(KeyStore.cannotAdd) { known, file throws(EventLogError) in
            try KeyStore.liveKeys(of: headers, &known, file)
        }
    }

    private static func liveKeys(
        of headers: [EventHeader],
        _ known: inout KeyCache,
        _ file: OpenKeyFile
    ) throws(EventLogError) -> [Sealing.NewKey]? {
        var live: [Sealing.NewKey] = []
        live.reserveCapacity(headers.count)
        for header in headers {
            guard let key = try known.liveKey(for: header, in: file) else { return nil }
            live.append(key)
        }
        return live
    }

    private static let cannotAdd = "nothing can be added without the master key"

    /// The disk space that a change of the key file may use.
    enum DiskSpace {
        case ordinary
        /// Also the reserve: for what a read or an erasure needs.
        case reserved
    }

    /// Runs `body` while no other thread and no other process changes the file.
    ///
    /// With reserved space, `body` runs again after it has failed because the disk is full. The state is not locked
    /// while this waits for the file's lock, so that readers of keys never wait for another process.
    func changing(
        _ withoutKey: String,
        in space: DiskSpace,
        _ body: (OpenKeyFile) throws -> Void
    ) throws(EventLogError) {
        try changer.withLock { _ throws(EventLogError) in
            guard let file = state.withLock(\.file) else { throw EventLogError(.masterKeyMissing, withoutKey) }
            guard let reserve else { return try file.locked { try body(file) } }
            switch space {
            case .ordinary:
                try reserve.requireFull()
                try file.locked { try body(file) }
            case .reserved:
                try reserve.spending(at: path) { () throws(EventLogError) in try file.locked { try body(file) } }
            }
        }
    }

    /// Runs `body` on the cached content of the file, which is reread first if the change counter has changed.
    func withKnown<Result>(
        _ withoutKey: String,
        _ body: (inout KeyCache, OpenKeyFile) throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        try withState(withoutKey) { state, file throws(EventLogError) in
            if file.changes == KeyFile.changing {
                changer.withLockIfAvailable { _ in file.endInterruptedChange() }
            }
            let changes = file.changes
            if changes == KeyFile.superseded, !file.isCurrent { throw OpenKeyFile.rotated }
            if changes != state.changes || changes == KeyFile.changing {
                let destroyed = state.known.erased.subtracting(state.known.markedForErasure.keys)
                state.known = KeyCache(assumingErased: state.assumed)
                try state.known.refresh(from: file)
                state.changes = changes
                // A destroyed key never comes back, unless an older file is copied over this one.
                let revived = destroyed.subtracting(state.known.erased)
                if !revived.isEmpty {
                    state.assumed.formUnion(revived)
                    state.known = KeyCache(assumingErased: state.assumed)
                    try state.known.refresh(from: file)
                }
            }
            return try body(&state.known, file)
        }
    }

    /// Makes keys count as erased, for this process, although the file has them.
    func assumeErased(_ slots: Set<UUID>) throws(EventLogError) {
        try withState("") { state, file throws(EventLogError) in
            state.assumed.formUnion(slots)
            state.known = KeyCache(assumingErased: state.assumed)
            try state.known.refresh(from: file)
            // Another thread may be about to put back a copy of the earlier cache: the next use rereads the file.
            state.changes = nil
        }
    }

    /// Returns what the file contains, whatever counts as erased.
    func content() throws(EventLogError) -> (keys: KeyCache, file: OpenKeyFile) {
        try withKnown("") { _, file throws(EventLogError) in
            var keys = KeyCache()
            try keys.refresh(from: file)
            return (keys, file)
        }
    }

    /// Runs `body` with exclusive access to the state among the threads of this process.
    func withState<Result>(
        _ withoutKey: String,
        _ body: (inout State, OpenKeyFile) throws(EventLogError) -> Result
    ) throws(EventLogError) -> Result {
        try state.withLock { state throws(EventLogError) in
            guard let file = state.file else { throw EventLogError(.masterKeyMissing, withoutKey) }
            return try body(&state, file)
        }
    }

    /// Runs `body`, which changes keys, and makes all threads and processes reread the file, even if it throws.
    func noting(_ file: OpenKeyFile, _ body: () throws -> Void) rethrows {
        let before = state.withLock { _ in file.beginChange() }
        defer { state.withLock { _ in file.endChange(before) } }
        try body()
    }

    /// Replaces the open key file with another one, under another master key.
    func use(_ file: OpenKeyFile) {
        state.withLock { $0 = State(file: file, assumed: $0.assumed) }
    }

    private static func addMissing(_ subjects: Set<UUID>, _ known: inout KeyCache, _ file: OpenKeyFile) throws {
        var keys: [UUID: SymmetricKey] = [:]
        for subject in subjects where try known.key(of: subject, in: file) == nil {
            keys[subject] = SymmetricKey(size: .bits256)
        }
        try addMissing(keys, among: subjects, &known, file)
    }

    /// Adds those of the given keys that the file lacks, and marks them live.
    ///
    /// `subjects` are those whose keys must be live afterwards; nil means those of the given keys.
    static func addMissing(
        _ keys: [UUID: SymmetricKey],
        among subjects: Set<UUID>? = nil,
        _ known: inout KeyCache,
        _ file: OpenKeyFile
    ) throws {
        let subjects = subjects ?? Set(keys.keys)
        guard known.erased.isDisjoint(with: subjects) else {
            throw EventLogError(.subjectErased, "the data of this subject was erased; nothing can be added to it")
        }
        var missing = try Set(keys.keys).filter { try known.key(of: $0, in: file) == nil }
        if !missing.isEmpty {
            // A slot's subject may have been damaged and restored since, as in `key(for:)`.
            try known.openAll(in: file)
            missing = try missing.filter { try known.key(of: $0, in: file) == nil }
        }
        // A second key would not open events sealed with the first, and would prevent the restore of the first.
        guard missing.isDisjoint(with: known.damaged) else {
            throw EventLogError(.damaged, "the key of a subject is damaged; restore the key file from a backup")
        }
        if !missing.isEmpty {
            var bytes: [UInt8] = []
            for subject in missing {
                guard let key = keys[subject] else { continue }
                bytes += try KeyFile.slot(subject: subject, key: key, journal: file.journal, master: file.master)
            }
            // Overwrites a partial slot that a crash may have left at the end.
            try file.file.write(bytes, at: KeyFile.offset(of: known.slotsRead), isSynced: false)
            try known.refresh(from: file)
        }
        // An earlier sync of an unfinished slot may have failed, after which the kernel regards it as written: write it
        // again.
        for subject in subjects.subtracting(missing) {
            guard let number = known.unfinished[subject], let key = try known.key(of: subject, in: file) else {
                continue
            }
            let slot = try KeyFile.slot(subject: subject, key: key, journal: file.journal, master: file.master)
            try file.file.write(slot, at: KeyFile.offset(of: number), isSynced: false)
        }
        try finish(subjects, &known, file.file)
    }

    /// Marks keys live: those just written, and those that an interrupted process left unfinished.
    private static func finish(_ subjects: Set<UUID>, _ known: inout KeyCache, _ file: DurableFile) throws(StorageError)
    {
        let slots = subjects.compactMap { known.unfinished[$0] }.sorted()
        guard let last = slots.last else { return }
        // Sync before the marks are written, so that a slot marked live is complete, and after them, so that they are
        // durable.
        try file.sync()
        for slot in slots {
            try file.write([KeyFile.State.live], at: KeyFile.offset(of: slot), isSynced: slot == last)
        }
        for subject in subjects { known.finished(subject) }
    }
}
