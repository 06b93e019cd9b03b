package import FoundationEssentials
internal import LMDB

/// The append-only log of a journal: the truth, of which all else is a cache.
///
/// Appending goes through one writer that commits what is waiting together; reading takes short snapshots and waits for
/// nobody. Several processes may have the same log open.
package final class EventLog: Sendable {
    /// How a log is opened.
    package struct Options: Sendable {
        /// Address space reserved for `log/data.mdb`, in bytes.
        package var mapSize = 1 << 40
        /// Opened to be read only: nothing in `log/` or `index/` is changed.
        package var isReadOnly = false
        /// The clock, in microseconds since 1970.
        package var now: @Sendable () -> Int64 = EventLog.clock
        /// Where a second copy of the newest checkpoint is kept, outside the journal's folder.
        package var witness: String?
        /// What is done when the log does not extend the checkpoints kept of it: refused, or told where it is only read.
        package var onRollback: RollbackAnswer?
        package var checkpointPace = CheckpointPace()

        package init() {}
    }

    package let folder: JournalFolder
    package let description: JournalDescription
    package let keys: KeyStore
    package let now: @Sendable () -> Int64

    let environment: Environment
    let tables: LogTables
    let index: StreamIndex
    let keeper: CheckpointKeeper
    private let pacer: CheckpointPacer
    private let writer: Writer?
    private let erasures: Erasures?
    private let openRollback: Guarded<Rollback?>

    /// Makes a new journal in a folder that holds none, and opens it.
    package static func create(
        in folder: JournalFolder,
        masterKey: MasterKey,
        id: UUID,
        zone: String,
        options: Options = Options()
    ) throws(EventLogError) -> EventLog {
        do {
            for path in [folder.path, folder.log, folder.index, folder.views, folder.blobs] {
                try DurableFile.makeFolder(path)
            }
            let description = JournalDescription(id: id, createdAt: options.now(), zone: zone)
            let environment = try newEnvironment(in: folder, options: environmentOptions(options))
            try environment.write { transaction in
                let tables = try LogTables(making: transaction)
                // What an earlier attempt left when it was cut off has no description, and is gone on with.
                guard try transaction.reading.get(metaKey, in: tables.meta) == nil else {
                    throw EventLogError(.journalExists, "there is a journal in \(folder.path) already")
                }
                // The keys come first: a journal that is there can be written to.
                try KeyStore.create(in: folder, journal: id, master: masterKey)
                try transaction.insert(metaKey, description.bytes.raw, in: tables.meta)
                let hash = DescriptionRow.hash(of: description.bytes)
                try transaction.insert(Key(DescriptionRow.hashKey), hash.raw, in: tables.meta)
            }
        } catch let error as EventLogError {
            throw error
        } catch let error as LMDBError {
            if error.code == .alreadyOpen {
                throw EventLogError(.journalExists, "there is a journal in \(folder.path) already, and it is open")
            }
            throw EventLogError(error)
        } catch {
            throw EventLogError(.storage, "the journal cannot be made in \(folder.path)")
        }
        return try EventLog(folder: folder, masterKey: masterKey, options: options)
    }

    /// Opens the log of a journal.
    ///
    /// Without a master key its headers and hashes can be read, and nothing else.
    package init(folder: JournalFolder, masterKey: MasterKey?, options: Options = Options()) throws(EventLogError) {
        guard DurableFile.exists(folder.log + "/data.mdb") else {
            throw EventLogError(
                .notAJournal,
                "there is no journal in \(folder.path); make one with: healthjournal init"
            )
        }
        self.folder = folder
        now = options.now
        let files = CheckpointFiles(folder: folder, witness: options.witness)
        // Before the log, which others may append to: it only grows, so that it must extend what was kept before.
        let kept = files.read()
        do {
            var settings = EventLog.environmentOptions(options)
            settings.mustExist = true
            let environment = try Environment(folder: folder.log, options: settings)
            let opened = try EventLog.read(environment, in: folder)
            self.environment = environment
            (tables, description) = (opened.tables, opened.description)
            keys = try KeyStore(
                folder: folder,
                journal: description.id,
                master: masterKey,
                isReadOnly: options.isReadOnly
            )
            keeper = CheckpointKeeper(
                files: files,
                journal: description.id,
                environment: environment,
                tables: tables,
                keys: keys,
                isReadOnly: options.isReadOnly
            )
            let rollback = try keeper.examine(kept, isReadOnly: options.isReadOnly)
            if let rollback, options.onRollback ?? (options.isReadOnly ? .tell : .refuse) == .refuse {
                throw rollback.error
            }
            openRollback = Guarded(rollback)
            if !options.isReadOnly { try DurableFile.makeFolder(folder.index) }
        } catch {
            throw EventLogError(error, "the journal in \(folder.path) cannot be opened")
        }
        index = StreamIndex(folder: folder, journal: description.id)
        pacer = CheckpointPacer(options.checkpointPace) { [keeper, openRollback] in
            if openRollback.withLock({ $0 == nil }) { _ = try? keeper.keep() }
        }
        if options.isReadOnly {
            (writer, erasures) = (nil, nil)
        } else {
            let blobs = BlobStore(folder: folder, keys: keys)
            let erasures = Erasures(environment: environment, tables: tables, keys: keys, blobs: blobs)
            self.erasures = erasures
            writer = Writer(
                Committer(
                    environment: environment,
                    tables: tables,
                    index: index,
                    keys: keys,
                    erasures: erasures,
                    now: options.now
                ),
                pacer: pacer
            )
            // A log that was rolled back has lost the events by which that is decided: not before it is accepted.
            if rollback == nil {
                try erasures.settle()
                // What stands in the way of the key is told when a checkpoint is to be kept: nothing else needs it.
                if keys.hasMasterKey { try? keeper.makeKey() }
            }
        }
    }

    /// Destroys what erasures that the log tells of have left undone, as when a disk failed in the middle of one.
    package func settleErasures() throws(EventLogError) {
        guard rollback == nil else { return }
        try erasures?.settle()
    }

    package typealias Answer = @Sendable (Result<AppendResult, EventLogError>) -> Void

    /// Appends events in one piece: all of them, next to each other, or none.
    ///
    /// Returns when they are on the disk. Events whose id is name-based (a UUIDv5 of a source and its key) are
    /// idempotent: the same append again has the first answer again.
    @discardableResult
    package func append(
        _ events: [NewEvent],
        expecting expectations: [Expectation] = []
    ) async throws(EventLogError) -> AppendResult {
        try await answer { answer throws(EventLogError) in
            if let rollback { throw rollback.error }
            try submit(events, expecting: expectations, waitsAnyway: true, answer)
        }
    }

    /// Puts events in the queue behind those that are there, and answers when they are on the disk or refused.
    ///
    /// For callers that keep many appends under way and in order. Throws at once what need not be waited for.
    package func enqueue(
        _ events: [NewEvent],
        expecting expectations: [Expectation] = [],
        erasing subject: UUID? = nil,
        _ answer: @escaping Answer
    ) throws(EventLogError) {
        if let rollback { throw rollback.error }
        try submit(events, expecting: expectations, erasing: subject, waitsAnyway: false, answer)
    }

    /// Appends though the log does not extend what was proven of it: for the event that says that this is accepted.
    func appendUnguarded(_ events: [NewEvent]) async throws(EventLogError) -> AppendResult {
        try await answer { answer throws(EventLogError) in try submit(events, waitsAnyway: false, answer) }
    }

    /// Waits for the answer to what `ask` puts in the queue.
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
        erasing subject: UUID? = nil,
        waitsAnyway: Bool,
        _ answer: @escaping Answer
    ) throws(EventLogError) {
        guard let writer else { throw EventLogError(.readOnly, "the log was opened to be read only") }
        let prepared = try prepare(events)
        try writer.submit(
            AppendRequest(
                frames: prepared.frames,
                expectations: expectations,
                keyedPayloads: prepared.keyedPayloads,
                erasing: subject,
                answer: answer
            ),
            waitsAnyway: waitsAnyway
        )
    }

    /// That the log does not extend what was proven of it, if so: then nothing can be appended.
    package var rollback: Rollback? { openRollback.withLock { $0 } }

    func forgetRollback() { openRollback.withLock { $0 = nil } }

    /// Waits for what is queued, brings the index to the disk, and keeps a checkpoint.
    package func close() {
        guard let writer else { return }
        writer.finish()
        struct Done: Error {}
        // The transaction is taken back: it only holds the log's lock.
        try? environment.write { _ in
            index.close()
            throw Done()
        }
        pacer.finish()
        // A checkpoint that cannot be kept loses nothing: the next one proves the same, and `checkpointProblem` says why.
        if rollback == nil, keys.hasMasterKey { _ = try? keeper.keep() }
    }

    var isReadOnly: Bool { writer == nil }

    /// What the writer of this process has done; nil for a log that is only read.
    package var appendStatistics: AppendStatistics? { writer?.statistics }

    /// Snapshots that may be held at the same time by all processes, and those that are or were.
    package var readers: (used: Int, maximum: Int) { environment.readers }

    /// Bytes of `log/` that are in use, and that its map can hold.
    package var size: (used: UInt64, map: UInt64) { environment.size }

    /// Seals on the caller's thread, so that the writer has the less to do.
    private func prepare(
        _ events: [NewEvent]
    ) throws(EventLogError) -> (frames: [SealedFrame], keyedPayloads: [Int: [UInt8]]) {
        var byteCount = 0
        var subjects: [UUID] = []
        subjects.reserveCapacity(events.count)
        var keyed: [Int: [UInt8]] = [:]
        var named: Set<UUID> = []
        for offset in events.indices {
            byteCount += FrameLayout.overhead + events[offset].payload.count
            subjects.append(events[offset].header.subject)
            guard events[offset].header.id.isNameBased else { continue }
            keyed[offset] = events[offset].payload
            named.insert(events[offset].header.id)
        }
        guard !events.isEmpty, events.count <= AppendLimits.eventsPerAppend, byteCount <= AppendLimits.bytesPerAppend
        else {
            throw EventLogError(
                .tooLarge,
                "one append takes 1 to \(AppendLimits.eventsPerAppend) events of \(AppendLimits.bytesPerAppend) bytes in all"
            )
        }
        guard !subjects.contains(KeyStore.checkpointSigner) else {
            throw EventLogError(.keyConflict, "that id is the journal's own; take another")
        }
        guard named.count == keyed.count else {
            throw EventLogError(.keyConflict, "one append has the same idempotency key twice")
        }
        let sealing = try keys.sealingKeys(of: subjects)
        return (try SealedFrame.seal(events, under: sealing), keyed)
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
