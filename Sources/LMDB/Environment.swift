internal import CLMDB
internal import Glibc
package import Platform
internal import Synchronization

/// An open LMDB environment: one folder, many tables, one writer at a time, readers that never block.
///
/// LMDB corrupts data when one process opens an environment twice, so a second open of the same folder is refused.
package final class Environment: Sendable {
    /// How an environment is opened.
    package struct Options: Sendable {
        /// Address space to reserve for the map, in bytes; unused address space takes neither memory nor disk space.
        package var mapSize = 1 << 40
        package var maximumReaders: UInt32 = 2048
        package var maximumTables: UInt32 = 64
        /// Whether commits are synced to the disk; false for data that can be rebuilt after a power loss.
        package var isSynced = true
        package var isReadOnly = false
        /// Whether a missing or empty file is refused instead of created.
        package var mustExist = false
        /// The minimum time between two passes in which writers clear the slots of dead readers, in seconds.
        package var clearingInterval = Environment.clearingInterval

        package init() {}
    }

    private let handle: EnvironmentHandle
    private let tables: OpenTables
    private let identity: FileIdentity
    private let options: Options
    /// The path of LMDB's data file.
    let dataFile: String
    /// Held shared by each transaction; held exclusively to resize the map, to reopen the environment or to open
    /// tables.
    private let mapLock = SharedLock()
    /// When the slots of dead readers were last cleared, in seconds of the monotonic clock.
    private let lastClearing = Atomic<Int>(0)
    /// The thread that is inside a write transaction, or 0; in LMDB, a nested write on the same thread would deadlock.
    private let writer = Atomic<UInt>(0)

    /// Opens the environment in `folder`, and clears the slots that dead readers have left.
    package init(folder: String, options: Options = Options()) throws(StorageError) {
        try Filesystem.refuseNetwork(at: folder)
        let identity = try FileIdentity(of: folder)
        dataFile = folder + "/data.mdb"
        try Environment.checkBeforeOpening(dataFile, options)
        guard OpenEnvironments.insert(identity) else { throw StorageError(.alreadyOpen, during: "open") }
        do throws(StorageError) {
            self.handle = try EnvironmentHandle(folder: folder, options: options)
            self.tables = handle.tables
            // LMDB syncs the content of its file but not the directory entry: after a power loss the whole file could
            // be gone.
            if options.isSynced, !options.isReadOnly { try DurableFile.syncFolder(of: folder + "/data.mdb") }
        } catch {
            OpenEnvironments.remove(identity)
            throw error
        }
        self.identity = identity
        self.options = options
        if !options.isReadOnly { clearStaleReadersIfDue() }
    }

    deinit {
        handle.close()
        OpenEnvironments.remove(identity)
    }

    /// Runs `body` on a snapshot that no writer changes.
    ///
    /// No value that LMDB owns may escape the closure.
    ///
    /// When `body` needs a table that another process has created, it runs again on a new snapshot, unless this read is
    /// nested in another transaction.
    package func read<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        var attempts = 0
        while true {
            do {
                return try readOnce(body)
            } catch let error as StorageError
                where error.code == .tableNotOpen && mapLock.depth == 0 && attempts < Environment.attempts
            {
                attempts += 1
                try mapLock.alone { () throws(StorageError) in
                    if let pointer = unsafe handle.pointer { try unsafe tables.openWanted(pointer) }
                }
            }
        }
    }

    private func readOnce<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        let transaction = try unsafe begin(flags: UInt32(MDB_RDONLY), during: "begin a read")
        defer { unsafe mdb_txn_abort(transaction) }
        return try body(unsafe ReadTransaction(handle: transaction, tables: tables, isWriting: false))
    }

    /// Pins the pages of the newest transaction, so that no writer reuses them, while `body` runs with its number.
    func pinned(_ body: (UInt64) throws(StorageError) -> Void) throws(StorageError) {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        let transaction = try unsafe begin(flags: UInt32(MDB_RDONLY), during: "begin a read")
        defer { unsafe mdb_txn_abort(transaction) }
        try body(unsafe UInt64(mdb_txn_id(transaction)))
    }

    /// Runs `body` as the only writer of all processes.
    ///
    /// When `body` returns, the transaction is committed, and synced unless `isSynced` is off. When `body` throws, the
    /// transaction is aborted.
    package func write<Result>(_ body: (borrowing WriteTransaction) throws -> Result) throws -> Result {
        try write(committingIf: { _ in true }, body)
    }

    /// Runs `body` while no other thread or process can write, and changes nothing.
    ///
    /// `body` reads the newest state of the database.
    package func withWriteLock<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        try write(committingIf: { _ in false }, { transaction in try body(transaction.reading) })
    }

    /// Runs `body` as the only writer, and commits only if its result satisfies the condition.
    package func write<Result>(
        committingIf mustCommit: (Result) -> Bool,
        _ body: (borrowing WriteTransaction) throws -> Result
    ) throws -> Result {
        let thread = UInt(pthread_self())
        guard writer.load(ordering: .relaxed) != thread else {
            throw StorageError(.nestedWrite, during: "begin a write")
        }
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        // From this transaction on, LMDB can reuse the pages that a dead reader pinned, instead of growing the file.
        clearStaleReadersIfDue()
        let transaction = try unsafe begin(flags: 0, during: "begin a write")
        // Reset before the transaction ends, because the next writer may start as soon as it has ended.
        writer.store(thread, ordering: .relaxed)
        func abort() {
            _ = tables.takePending()
            writer.store(0, ordering: .relaxed)
            unsafe mdb_txn_abort(transaction)
        }
        let result: Result
        do {
            result = try body(unsafe WriteTransaction(handle: transaction, tables: tables))
        } catch {
            abort()
            throw error
        }
        guard mustCommit(result) else {
            abort()
            return result
        }
        let opened = tables.takePending()
        writer.store(0, ordering: .relaxed)
        guard let environment = unsafe mdb_txn_env(transaction) else { throw StorageError(.halted, during: "commit") }
        try unsafe checkWritten(mdb_txn_commit(transaction), environment, "commit")
        tables.add(opened)
        return result
    }

    /// The id of the thread, of any process, that is inside a write transaction, as the lock file records it.
    var lockHolder: Int? { handle.writerLock?.holder }

    /// Bytes of the file that are in use, and bytes that the map can hold.
    package var size: (used: UInt64, map: UInt64) {
        let information = unsafe information
        return unsafe (
            (UInt64(information.me_last_pgno) + 1) * UInt64(sysconf(Int32(_SC_PAGESIZE))),
            UInt64(information.me_mapsize)
        )
    }

    /// The number of reader slots, in all processes, that are in use or reusable after use, and the maximum number.
    package var readers: (used: Int, maximum: Int) {
        let information = unsafe information
        return unsafe (Int(information.me_numreaders), Int(information.me_maxreaders))
    }

    private var information: MDB_envinfo {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        var info = unsafe MDB_envinfo()
        if let pointer = unsafe handle.pointer { unsafe mdb_env_info(pointer, &info) }
        return unsafe info
    }

    /// Syncs what an unsynced environment has written to the disk.
    package func sync() throws(StorageError) {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        guard let pointer = unsafe handle.pointer else { throw StorageError(.halted, during: "sync") }
        try check(unsafe mdb_env_sync(pointer, 1), "sync")
    }

    /// Frees the slots of readers whose process has died, and returns their number.
    @discardableResult
    package func clearStaleReaders() -> Int {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        var dead: Int32 = 0
        if let pointer = unsafe handle.pointer { unsafe mdb_reader_check(pointer, &dead) }
        return Int(dead)
    }

    /// The default of `Options.clearingInterval`, in seconds.
    package static let clearingInterval = 1

    /// Clears the slots of dead readers if no thread of this process has done so within the interval.
    ///
    /// The snapshot of a killed process pins all pages that were in use at its time, so that each commit grows the
    /// file.
    package func clearStaleReadersIfDue() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        // One more than the clock's value, so that 0 means never.
        let (now, last) = (Int(time.tv_sec) + 1, lastClearing.load(ordering: .relaxed))
        guard last == 0 || now - last >= options.clearingInterval else { return }
        let (isMine, _) = lastClearing.compareExchange(expected: last, desired: now, ordering: .relaxed)
        if isMine { clearStaleReaders() }
    }

    /// The transaction of the oldest snapshot that any process holds, and the number of commits since; nil if there is
    /// none.
    package var oldestReader: (transaction: UInt64, age: UInt64)? {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        guard let pointer = unsafe handle.pointer else { return nil }
        var oldest = UInt64.max
        // Each line describes one reader: process, thread, and the transaction, or "-" for a slot that holds none.
        let status = unsafe withUnsafeMutablePointer(to: &oldest) { place in
            unsafe mdb_reader_list(
                pointer,
                { line, context in
                    guard let line = unsafe line, let context = unsafe context,
                        let word = unsafe String(cString: line).split(whereSeparator: \.isWhitespace).last,
                        let transaction = UInt64(word)
                    else { return 0 }
                    let oldest = unsafe context.assumingMemoryBound(to: UInt64.self)
                    unsafe oldest.pointee = unsafe min(oldest.pointee, transaction)
                    return 0
                },
                place
            )
        }
        guard status >= 0, oldest < .max else { return nil }
        var info = unsafe MDB_envinfo()
        unsafe mdb_env_info(pointer, &info)
        let newest = unsafe UInt64(info.me_last_txnid)
        return (oldest, newest > oldest ? newest - oldest : 0)
    }

    /// Checks a file before LMDB opens it, because LMDB trusts what it reads.
    private static func checkBeforeOpening(_ path: String, _ options: Options) throws(StorageError) {
        let size = DurableFile.exists(path) ? try PageSource(file: path).size : 0
        // LMDB would create its file at the target of the link.
        if size == 0, FileStatus(of: path)?.isLink == true { throw StorageError(.symbolicLink, during: "open \(path)") }
        if size > 0 { return try checkFile(path, isReadOnly: options.isReadOnly) }
        if options.mustExist { throw StorageError(.notADatabase, during: "open \(path) (it is empty)") }
    }

    /// The maximum number of times that a transaction is begun again because of a change by another process.
    private static let attempts = 8

    private func begin(flags: UInt32, during operation: String) throws(StorageError) -> OpaquePointer {
        var transaction: OpaquePointer?
        var status = unsafe handle.begin(flags, &transaction)
        var attempts = 0
        while status == MDB_MAP_RESIZED || status == MDB_PANIC, mapLock.depth == 1, attempts < Environment.attempts {
            try withoutTransaction(isHalted: status == MDB_PANIC)
            status = unsafe handle.begin(flags, &transaction)
            attempts += 1
        }
        if status == MDB_READERS_FULL, clearStaleReaders() > 0 {
            status = unsafe handle.begin(flags, &transaction)
        }
        try check(status, operation)
        guard let transaction = unsafe transaction else { throw StorageError(.other(status), during: operation) }
        return unsafe transaction
    }

    /// Resolves a failed begin while no transaction of this process is open.
    ///
    /// Adopts the size of a map that another process has enlarged, or reopens an environment that refuses all
    /// operations.
    private func withoutTransaction(isHalted: Bool) throws(StorageError) {
        mapLock.unlockShared()
        defer { mapLock.lockShared() }
        try mapLock.alone { () throws(StorageError) in
            if isHalted {
                try handle.reopenIfHalted()
            } else if let pointer = unsafe handle.pointer {
                unsafe mdb_env_set_mapsize(pointer, 0)
            }
        }
    }
}
