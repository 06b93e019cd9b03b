internal import CLMDB
internal import Glibc
internal import Synchronization

/// An open LMDB environment: one folder, many tables, one writer at a time, readers that never wait.
///
/// LMDB corrupts data when one process opens an environment twice, so a second open of the same folder is refused.
package final class Environment: Sendable {
    /// How an environment is opened.
    package struct Options: Sendable {
        /// Address space reserved for the file; sparse, so that a large one costs nothing.
        package var mapSize = 1 << 40
        package var maximumReaders: UInt32 = 2048
        package var maximumTables: UInt32 = 64
        /// Off for what can be rebuilt after a power cut.
        package var isSynced = true
        package var isReadOnly = false
        /// A file that is missing or empty is refused, rather than made.
        package var mustExist = false

        package init() {}
    }

    private let handle: EnvironmentHandle
    private let tables: OpenTables
    private let identity: FileIdentity
    private let options: Options
    /// Where LMDB keeps the pages.
    let dataFile: String
    /// Held shared by each transaction, and alone while the map is laid anew.
    private let mapLock = SharedLock()
    /// The thread that is inside a write transaction, or 0: LMDB would wait for itself for ever.
    private let writer = Atomic<UInt>(0)

    /// Opens the environment in `folder`, and clears what readers that died have left.
    package init(folder: String, options: Options = Options()) throws(LMDBError) {
        try Filesystem.refuseNetwork(at: folder)
        let identity = try FileIdentity(of: folder)
        dataFile = folder + "/data.mdb"
        try Environment.checkBeforeOpening(dataFile, mustExist: options.mustExist)
        guard OpenEnvironments.insert(identity) else { throw LMDBError(.alreadyOpen, during: "open") }
        do throws(LMDBError) {
            self.handle = try EnvironmentHandle(folder: folder, options: options)
            self.tables = handle.tables
            // LMDB syncs what is in its file, but not the file's name: after a power cut all of it might be gone.
            if options.isSynced, !options.isReadOnly { try DurableFile.syncFolder(of: folder + "/data.mdb") }
        } catch {
            OpenEnvironments.remove(identity)
            throw error
        }
        self.identity = identity
        self.options = options
        if !options.isReadOnly { clearStaleReaders() }
    }

    deinit {
        handle.close()
        OpenEnvironments.remove(identity)
    }

    /// Runs `body` on a snapshot that no writer disturbs.
    ///
    /// Nothing of LMDB's leaves the closure.
    ///
    /// It is begun again, on a new snapshot, when it asks for a table that another process has made.
    package func read<Result>(_ body: (borrowing ReadTransaction) throws -> Result) throws -> Result {
        var attempts = 0
        while true {
            do {
                return try readOnce(body)
            } catch let error as LMDBError
                where error.code == .tableNotOpen && mapLock.depth == 0 && attempts < Environment.attempts
            {
                attempts += 1
                try mapLock.alone { () throws(LMDBError) in
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

    /// Keeps the pages of a transaction, whose number `body` is told, from being used again while it runs.
    func pinned(_ body: (UInt64) throws(LMDBError) -> Void) throws(LMDBError) {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        let transaction = try unsafe begin(flags: UInt32(MDB_RDONLY), during: "begin a read")
        defer { unsafe mdb_txn_abort(transaction) }
        try body(unsafe UInt64(mdb_txn_id(transaction)))
    }

    /// Runs `body` as the one writer of all processes, and commits, synced, when it returns; takes all back when it throws.
    package func write<Result>(_ body: (borrowing WriteTransaction) throws -> Result) throws -> Result {
        let thread = UInt(pthread_self())
        guard writer.load(ordering: .relaxed) != thread else { throw LMDBError(.nestedWrite, during: "begin a write") }
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        let transaction = try unsafe begin(flags: 0, during: "begin a write")
        // Undone before the transaction ends: then the next writer is at work already.
        writer.store(thread, ordering: .relaxed)
        let result: Result
        do {
            result = try body(unsafe WriteTransaction(handle: transaction, tables: tables))
        } catch {
            _ = tables.takePending()
            writer.store(0, ordering: .relaxed)
            unsafe mdb_txn_abort(transaction)
            throw error
        }
        let opened = tables.takePending()
        writer.store(0, ordering: .relaxed)
        guard let environment = unsafe mdb_txn_env(transaction) else { throw LMDBError(.halted, during: "commit") }
        try unsafe checkWritten(mdb_txn_commit(transaction), environment, "commit")
        tables.add(opened)
        return result
    }

    /// Bytes of the file that are in use, and the bytes that the map can hold.
    package var size: (used: UInt64, map: UInt64) {
        let information = unsafe information
        return unsafe (
            (UInt64(information.me_last_pgno) + 1) * UInt64(sysconf(Int32(_SC_PAGESIZE))),
            UInt64(information.me_mapsize)
        )
    }

    /// Slots of readers in all processes: those that are taken, or were and can be taken again, and how many there are.
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

    /// Forces what an unsynced environment has written to the disk.
    package func sync() throws(LMDBError) {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        guard let pointer = unsafe handle.pointer else { throw LMDBError(.halted, during: "sync") }
        try check(unsafe mdb_env_sync(pointer, 1), "sync")
    }

    /// Frees the slots of readers whose process has died; says how many there were.
    @discardableResult
    package func clearStaleReaders() -> Int {
        mapLock.lockShared()
        defer { mapLock.unlockShared() }
        var dead: Int32 = 0
        if let pointer = unsafe handle.pointer { unsafe mdb_reader_check(pointer, &dead) }
        return Int(dead)
    }

    /// Looks at a file before LMDB does, which believes what it reads.
    private static func checkBeforeOpening(_ path: String, mustExist: Bool) throws(LMDBError) {
        let size = DurableFile.exists(path) ? try PageSource(file: path).size : 0
        if size > 0 { return try checkFile(path) }
        if mustExist { throw LMDBError(.notADatabase, during: "open \(path) (it is empty)") }
    }

    /// How often a transaction is begun again because of what another process has done.
    private static let attempts = 8

    private func begin(flags: UInt32, during operation: String) throws(LMDBError) -> OpaquePointer {
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
        guard let transaction = unsafe transaction else { throw LMDBError(.other(status), during: operation) }
        return unsafe transaction
    }

    /// Does what LMDB asks for with no transaction of ours in the way: takes over the size of a map that another process
    /// has made larger, or opens anew what refuses everything.
    private func withoutTransaction(isHalted: Bool) throws(LMDBError) {
        mapLock.unlockShared()
        defer { mapLock.lockShared() }
        try mapLock.alone { () throws(LMDBError) in
            if isHalted {
                try handle.reopenIfHalted()
            } else if let pointer = unsafe handle.pointer {
                unsafe mdb_env_set_mapsize(pointer, 0)
            }
        }
    }
}

/// Throws unless the status of an LMDB call that writes to the file is success.
///
/// When the disk fills up in the middle of a write, LMDB calls that an input or output error.
func checkWritten(
    _ status: Int32,
    _ environment: OpaquePointer,
    _ operation: @autoclosure () -> String
) throws(LMDBError) {
    if status == EIO {
        var descriptor: Int32 = -1
        unsafe mdb_env_get_fd(environment, &descriptor)
        if Filesystem.isFull(descriptor) { throw LMDBError(.diskFull, during: operation()) }
    }
    try check(status, operation())
}

/// Throws unless the status of an LMDB call is success.
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(LMDBError) {
    guard status == MDB_SUCCESS else { throw LMDBError(status: status, during: operation()) }
}
