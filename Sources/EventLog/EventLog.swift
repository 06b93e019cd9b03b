package import FoundationEssentials
internal import LMDB
internal import Platform

/// The append-only log of a journal; the index and the views are derived from it and can be rebuilt.
///
/// All appends go through one writer, which commits queued appends together. Reads use short snapshots and never wait
/// for other readers or for the writer. Several processes may have the same log open.
package final class EventLog: Sendable {
    /// The options with which a log is opened.
    package struct Options: Sendable {
        /// Address space reserved for `log/data.mdb`, in bytes.
        package var mapSize = 1 << 40
        /// Whether the log is only read: nothing in `log/` or `index/` is changed.
        package var isReadOnly = false
        /// The wall clock and the boot clock that it is checked against.
        package var clock = JournalClock.machine
        /// The wall clock, in microseconds since 1970; a clock that is set here is used unchecked.
        package var now: @Sendable () -> Int64 {
            get { clock.now }
            set { clock = JournalClock(now: newValue) }
        }
        /// The path of a second copy of the newest checkpoint, outside the journal's folder; nil for none.
        package var witness: String?
        /// Whether the log has a selection of another log's events, at their positions: see `EventLog.mirror`.
        package var isMirror = false
        /// The paths of other checkpoint copies that the log must extend when it is opened.
        package var formerWitnesses: [String] = []
        /// The place of the journal's folder, to be stored in the folder itself; nil to store nothing.
        package var place: FolderLocation?
        /// How a log is opened that does not extend its kept checkpoints.
        ///
        /// Nil means `.tell` for a read-only log and `.refuse` for any other.
        package var onRollback: RollbackPolicy?
        package var checkpointPace = CheckpointPace()
        /// Disk space that is reserved for reads and erasures, in bytes; 0 for none.
        package var reserveBytes = 0

        package init() {}

        /// Takes the path of the second checkpoint copy, the other copies and the folder's place from a witness.
        package mutating func keep(_ witness: Witness) {
            (self.witness, formerWitnesses, place) = (witness.path, witness.former, witness.place)
        }
    }

    package let folder: JournalFolder
    package let description: JournalDescription
    package let keys: KeyStore
    package let now: @Sendable () -> Int64

    let environment: Environment
    let tables: LogTables
    let index: StreamIndex
    let tail = IndexTail()
    /// Nil for a read-only log.
    let reserve: DiskReserve?
    let keeper: CheckpointKeeper
    let clockGuard: ClockGuard
    /// The recorded time of the newest event that this process knows of.
    let newestRecordedAt = NewestRecordedAt()
    private let pacer: CheckpointPacer
    let writer: Writer?
    let erasures: Erasures?
    private let openRollback: Guarded<Rollback?>

    /// Creates a new journal in a folder that contains none, and opens it.
    package static func create(
        in folder: JournalFolder,
        masterKey: MasterKey,
        id: UUID,
        zone: String,
        options: Options = Options()
    ) throws(EventLogError) -> EventLog {
        do {
            try DurableFile.makeFolder(folder.path, adoptsOwner: false)
            // Root may create a journal in a folder that was prepared for a service's user.
            guard let owner = FileStatus(following: folder.path)?.owner, owner == User.effective || User.effective == 0
            else {
                throw EventLogError(
                    .locationUnusable,
                    "\(folder.path) belongs to another user, who could read and change what is put there; name a folder of your own"
                )
            }
            for path in [folder.log, folder.index, folder.views, folder.blobs] { try Folder.makePrivate(path) }
            let description = JournalDescription(id: id, createdAt: options.now(), zone: zone)
            let environment = try newEnvironment(in: folder, options: environmentOptions(options))
            try environment.write { transaction in
                let tables = try LogTables(making: transaction, isMirror: options.isMirror)
                // An earlier attempt that was interrupted left no description; it is completed here.
                guard try transaction.reading.get(metaKey, in: tables.meta) == nil else {
                    throw EventLogError(.journalExists, "there is a journal in \(folder.path) already")
                }
                // The keys are created before the description, so that events can be appended to any journal that
                // exists.
                try KeyStore.create(in: folder, journal: id, master: masterKey)
                try transaction.insert(metaKey, description.bytes.raw, in: tables.meta)
                let hash = DescriptionRow.hash(of: description.bytes)
                try transaction.insert(Key(DescriptionRow.hashKey), hash.raw, in: tables.meta)
                if options.isMirror { try transaction.insert(Key(LogTables.mirrorKey), [1].raw, in: tables.meta) }
            }
        } catch let error as EventLogError {
            throw error
        } catch let error as StorageError {
            if error.code == .alreadyOpen {
                throw EventLogError(.journalExists, "there is a journal in \(folder.path) already, and it is open")
            }
            throw EventLogError(error)
        } catch {
            throw EventLogError(.storage, "the journal cannot be created in \(folder.path)")
        }
        return try EventLog(folder: folder, masterKey: masterKey, options: options)
    }

    /// Opens the log of a journal.
    ///
    /// Without a master key, only the headers and hashes of its events can be read.
    package init(folder: JournalFolder, masterKey: MasterKey?, options: Options = Options()) throws(EventLogError) {
        guard DurableFile.exists(folder.log + "/data.mdb") else {
            if DurableFile.isHidden(folder.log + "/data.mdb") {
                throw EventLogError(
                    .storage,
                    "this user may not read \(folder.path); run the command as the user who owns the journal"
                )
            }
            throw EventLogError(
                .notAJournal,
                "there is no journal in \(folder.path); create one with: healthjournal init"
            )
        }
        self.folder = folder
        now = options.now
        let files = CheckpointFiles(
            folder: folder,
            witness: options.witness,
            former: options.formerWitnesses,
            place: options.place
        )
        // Read the copies before opening the log, to which other processes may append: the log only grows, so it must
        // extend copies that were read earlier.
        let kept = files.read(withFormer: true)
        do {
            var settings = EventLog.environmentOptions(options)
            settings.mustExist = true
            let environment = try Environment(folder: folder.log, options: settings)
            let opened = try EventLog.read(environment, in: folder)
            self.environment = environment
            (tables, description) = (opened.tables, opened.description)
            guard tables.isMirror == options.isMirror else {
                throw EventLogError(
                    .notAJournal,
                    "\(folder.path) is a part of a replica; name the replica's own folder"
                )
            }
            // A damaged newest event is ignored here: `verify` needs the log open to report it, and appends fail on
            // their own.
            if let newest = try? opened.tables.newestRecordedAt(in: environment) { newestRecordedAt.note(newest) }
            reserve =
                options.isReadOnly ? nil : DiskReserve(path: folder.reserve, size: options.reserveBytes)
            keys = try KeyStore(
                folder: folder,
                journal: description.id,
                master: masterKey,
                isReadOnly: options.isReadOnly,
                reserve: reserve
            )
            keeper = CheckpointKeeper(
                files: files,
                journal: description.id,
                environment: environment,
                tables: tables,
                keys: keys,
                isReadOnly: options.isReadOnly,
                reserve: reserve
            )
            let rollback = try keeper.examine(kept, isReadOnly: options.isReadOnly)
            if let rollback, options.onRollback ?? (options.isReadOnly ? .report : .refuse) == .refuse {
                throw rollback.error
            }
            openRollback = Guarded(rollback)
            try reserve?
                .spending(at: folder.path) { () throws(StorageError) in
                    try DurableFile.makeFolder(folder.index)
                }
        } catch {
            throw EventLogError(error, "the journal in \(folder.path) cannot be opened")
        }
        index = StreamIndex(folder: folder, journal: description.id)
        clockGuard = ClockGuard(folder: folder, clock: options.clock)
        pacer = CheckpointPacer(options.checkpointPace) { [keeper, openRollback, tables] in
            if !tables.isMirror, openRollback.withLock({ $0 == nil }) { _ = try? keeper.keep() }
        }
        if let reserve {
            reserve.make()
            let blobs = BlobStore(folder: folder, keys: keys, reserve: reserve)
            let erasures = Erasures(environment: environment, tables: tables, keys: keys, blobs: blobs)
            self.erasures = erasures
            writer = Writer(
                Committer(
                    to: LocalLog(
                        environment: environment,
                        tables: tables,
                        index: index,
                        keys: keys,
                        erasures: erasures,
                        clock: clockGuard,
                        newest: newestRecordedAt
                    ),
                    reserve: reserve
                ),
                pacer: pacer
            )
            // Interrupted erasures are completed or undone according to events of the log. A log that was rolled back
            // may have lost these events, so this is done only without a rollback.
            if rollback == nil {
                try erasures.settle()
                // An error while creating the key is reported when a checkpoint is kept: nothing else needs the key.
                if keys.hasMasterKey, !tables.isMirror { try? keeper.makeKey() }
            }
        } else {
            (writer, erasures) = (nil, nil)
        }
    }

    /// Completes or undoes erasures that were interrupted, for example by a disk error.
    ///
    /// Does nothing for a log that is rolled back.
    package func settleErasures() throws(EventLogError) {
        guard rollback == nil else { return }
        try erasures?.settle()
    }

    package typealias Answer = @Sendable (Result<AppendResult, EventLogError>) -> Void

    /// Appends events atomically: all of them at consecutive positions, or none.
    ///
    /// Returns when they are on the disk. Events whose id is name-based (a UUIDv5 of a source and its key) are
    /// idempotent: repeating the same append returns the positions and the recorded time of the first one.
    @discardableResult
    package func append(
        _ events: consuming [NewEvent],
        expecting expectations: [Expectation] = []
    ) async throws(EventLogError) -> AppendResult {
        if let rollback { throw rollback.error }
        // Only the first event of a subject creates a key, which may wait for another process that holds the key file's
        // lock. Many events take long to seal.
        let isLarge = events.count > AppendLimits.largeAppend
        var preparesElsewhere = isLarge
        if !isLarge { preparesElsewhere = try !keys.hasLiveKeys(of: events) }
        if writer != nil, preparesElsewhere {
            let prepared = try await prepareElsewhere(consume events, keepingEvents: !isLarge)
            if isLarge { Memory.returnFreed() }
            return try await answer { answer throws(EventLogError) in
                try submit(prepared, expecting: expectations, mayBlockCaller: true, answer)
            }
        }
        return try await answer { answer throws(EventLogError) in
            try submit(events, expecting: expectations, mayBlockCaller: true, answer)
        }
    }

    /// Seals events off the caller's thread.
    private func prepareElsewhere(
        _ events: consuming [NewEvent],
        keepingEvents: Bool
    ) async throws(EventLogError) -> Prepared {
        let events = consume events
        return try await BlockingWork.run { () throws(EventLogError) in
            var prepared = try self.prepare(events)
            if !keepingEvents { prepared.events = [] }
            return prepared
        }
    }

    /// Creates the keys that events need and that do not exist yet, off the caller's thread.
    ///
    /// For callers of `enqueue` on a thread of the cooperative pool: creating a key may wait for another process.
    package func prepareKeys(of events: [NewEvent]) async throws(EventLogError) {
        guard writer != nil, try !keys.hasLiveKeys(of: events) else { return }
        try await BlockingWork.run { () throws(EventLogError) in try self.keys.ensureKeys(of: events) }
    }

    /// Appends events to the writer's queue, and calls `answer` when they are on the disk or refused.
    ///
    /// For callers that keep many appends in flight, in order. Errors that can be detected without waiting are thrown
    /// at once. Missing keys are created on the caller's thread: see `prepareKeys`.
    package func enqueue(
        _ events: [NewEvent],
        expecting expectations: [Expectation] = [],
        erasing subjects: Set<UUID> = [],
        _ answer: @escaping Answer
    ) throws(EventLogError) {
        if let rollback { throw rollback.error }
        try submit(events, expecting: expectations, erasing: subjects, mayBlockCaller: false, answer)
    }

    /// Appends to a log that is rolled back: for the event that records that the rollback is accepted.
    func appendUnguarded(_ events: [NewEvent]) async throws(EventLogError) -> AppendResult {
        try await answer { answer throws(EventLogError) in try submit(events, mayBlockCaller: false, answer) }
    }

    /// Appends even if the clock check fails: for the event that records that the clock is accepted.
    func appendAcceptingClock(_ events: [NewEvent]) async throws(EventLogError) -> AppendResult {
        try await answer { answer throws(EventLogError) in
            if let rollback { throw rollback.error }
            try submit(events, acceptsClock: true, mayBlockCaller: false, answer)
        }
    }

    /// Passes an answer closure to `ask`, and waits for the result that the closure is called with.
    func answer(
        to ask: (_ answer: @escaping Answer) throws(EventLogError) -> Void
    ) async throws(EventLogError) -> AppendResult {
        let result: Result<AppendResult, EventLogError> = await withCheckedContinuation { continuation in
            do throws(EventLogError) {
                try ask { continuation.resume(returning: $0) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    private func submit(
        _ events: [NewEvent],
        expecting expectations: [Expectation] = [],
        erasing subjects: Set<UUID> = [],
        acceptsClock: Bool = false,
        mayBlockCaller: Bool,
        _ answer: @escaping Answer
    ) throws(EventLogError) {
        guard writer != nil else { throw EventLogError(.readOnly, "the log was opened read-only") }
        try submit(
            prepare(events),
            expecting: expectations,
            erasing: subjects,
            acceptsClock: acceptsClock,
            mayBlockCaller: mayBlockCaller,
            answer
        )
    }

    private func submit(
        _ prepared: Prepared,
        expecting expectations: [Expectation],
        erasing subjects: Set<UUID> = [],
        acceptsClock: Bool = false,
        mayBlockCaller: Bool,
        _ answer: @escaping Answer
    ) throws(EventLogError) {
        guard let writer else { throw EventLogError(.readOnly, "the log was opened read-only") }
        let sealingAgain: Answer = { [self] result in
            guard case .failure(let error) = result, error.code == .keyRetired, !prepared.events.isEmpty else {
                return answer(result)
            }
            // An entry of the record was erased after these events were sealed.
            do throws(EventLogError) {
                try submit(
                    prepared.events,
                    expecting: expectations,
                    erasing: subjects,
                    acceptsClock: acceptsClock,
                    mayBlockCaller: false,
                    answer
                )
            } catch {
                answer(.failure(error))
            }
        }
        try writer.submit(
            AppendRequest(
                frames: prepared.frames,
                expectations: expectations,
                keyedPayloads: prepared.keyedPayloads,
                erasing: subjects,
                acceptsClock: acceptsClock,
                answer: prepared.frames.contains { $0.root != nil } ? sealingAgain : answer
            ),
            mayBlockCaller: mayBlockCaller
        )
    }

    /// Submits events that are copied from another log.
    func submit(_ frames: [SealedFrame], at places: [EventPlace], _ answer: @escaping Answer) throws(EventLogError) {
        guard let writer else { throw EventLogError(.readOnly, "the log was opened read-only") }
        let request = AppendRequest(
            frames: frames,
            expectations: [],
            keyedPayloads: [:],
            erasing: [],
            acceptsClock: true,
            places: places,
            answer: answer
        )
        try writer.submit(request, mayBlockCaller: false)
    }

    /// The rollback that was found when the log was opened; nil if there was none or it was accepted.
    ///
    /// While there is a rollback, nothing can be appended.
    package var rollback: Rollback? { openRollback.withLock { $0 } }

    func forgetRollback() { openRollback.withLock { $0 = nil } }

    /// Waits until all queued appends are answered, syncs the index to the disk, and keeps a checkpoint.
    package func close() {
        guard let writer else { return }
        writer.finish()
        // The slow part runs without the log's write lock: its duration grows with the size of the index.
        if let synced = index.sync() {
            // An index that is not marked is only rebuilt after a reboot.
            try? environment.withWriteLock { _ in index.markClean(ifStill: synced) }
        }
        index.close()
        pacer.finish()
        // An error is ignored: the next checkpoint proves the same events, and `checkpointProblem` holds the error.
        if rollback == nil, keys.hasMasterKey, !isMirror { _ = try? keeper.keep() }
    }

    var isReadOnly: Bool { writer == nil }

    /// The statistics of this process's writer; nil for a read-only log.
    package var appendStatistics: AppendStatistics? { writer?.statistics }

    /// The reader slots of all processes: those that are or were in use, and the maximum number.
    package var readers: (used: Int, maximum: Int) { environment.readers }

    /// Releases the reader slots of dead processes; cheap, because it does nothing if it ran recently.
    package func clearStaleReaders() { environment.clearStaleReadersIfDue() }

    /// The oldest snapshot of the log that any process holds; see `Environment.oldestReader`.
    package var oldestReader: (transaction: UInt64, age: UInt64)? { environment.oldestReader }

    /// The size of the database in `log/` and the capacity of its memory map, in bytes.
    package var size: (used: UInt64, map: UInt64) { environment.size }

    /// Seals events on the caller's thread, to keep this work off the writer.
    private func prepare(_ events: [NewEvent]) throws(EventLogError) -> Prepared {
        var byteCount = 0
        var headers: [EventHeader] = []
        headers.reserveCapacity(events.count)
        var keyed: [Int: [UInt8]] = [:]
        var named: Set<UUID> = []
        for offset in events.indices {
            byteCount += FrameLayout.overhead + events[offset].payload.count
            headers.append(events[offset].header)
            guard events[offset].header.id.isNameBased else { continue }
            keyed[offset] = events[offset].payload
            named.insert(events[offset].header.id)
        }
        guard !events.isEmpty, events.count <= AppendLimits.eventsPerAppend, byteCount <= AppendLimits.bytesPerAppend
        else {
            throw EventLogError(
                .tooLarge,
                "one append accepts 1 to \(AppendLimits.eventsPerAppend) events "
                    + "of \(AppendLimits.bytesPerAppend) bytes in total"
            )
        }
        for header in headers { try KeyStore.requireSubject(header.subject) }
        guard named.count == keyed.count else {
            throw EventLogError(.keyConflict, "one append contains the same idempotency key twice")
        }
        let sealing = try keys.sealingKeys(of: headers)
        return Prepared(events: events, frames: try SealedFrame.seal(events, under: sealing), keyedPayloads: keyed)
    }

    private struct Prepared: Sendable {
        /// For sealing them again; empty if that would need too much memory.
        var events: [NewEvent]
        let frames: [SealedFrame]
        let keyedPayloads: [Int: [UInt8]]
    }

    static let metaKey = Key(DescriptionRow.key)

    static func environmentOptions(_ options: Options) -> Environment.Options {
        var result = Environment.Options()
        result.mapSize = options.mapSize
        result.maximumTables = 8
        result.isReadOnly = options.isReadOnly
        return result
    }

    private static func read(
        _ environment: Environment,
        in folder: JournalFolder
    ) throws -> (tables: LogTables, description: JournalDescription) {
        try environment.read { transaction in
            guard let tables = try LogTables(opening: transaction),
                let bytes = try transaction.get(metaKey, in: tables.meta)
            else {
                throw EventLogError(.notAJournal, "\(folder.log) is a database, but not the log of a health journal")
            }
            return (tables, try JournalDescription(bytes))
        }
    }
}
