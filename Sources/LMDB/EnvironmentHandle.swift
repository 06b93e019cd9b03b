internal import CLMDB
internal import Glibc
internal import Platform

/// The C handle of an environment; LMDB allows its use from any thread.
///
/// After one of its own writes has failed halfway, LMDB refuses all operations, including reads, until the environment
/// is reopened. Reopening it here limits a disk failure to the append that met it.
@safe final class EnvironmentHandle: @unchecked Sendable {
    /// Nil when the environment could not be reopened.
    ///
    /// Changed only while no transaction is open and no other thread reads it.
    private(set) var pointer: OpaquePointer?
    let tables = OpenTables()
    /// Nil if the lock file cannot be inspected; mapped once, before LMDB opens the file.
    private(set) var writerLock: WriterLock?
    private let folder: String
    private let options: Environment.Options

    init(folder: String, options: Environment.Options) throws(StorageError) {
        self.folder = folder
        self.options = options
        unsafe pointer = try unsafe open { pointer throws(StorageError) in try unsafe tables.openAll(pointer) }
    }

    func close() {
        if let pointer = unsafe pointer { unsafe mdb_env_close(pointer) }
        unsafe pointer = nil
    }

    /// Begins a transaction, and returns LMDB's status.
    func begin(_ flags: UInt32, _ transaction: inout OpaquePointer?) -> Int32 {
        guard let pointer = unsafe pointer else { return MDB_PANIC }
        return unsafe mdb_txn_begin(pointer, nil, flags, &transaction)
    }

    /// Reopens the environment if it refuses all operations.
    ///
    /// No transaction may be open.
    func reopenIfHalted() throws(StorageError) {
        var transaction: OpaquePointer?
        let status = unsafe begin(UInt32(MDB_RDONLY), &transaction)
        if let transaction = unsafe transaction { unsafe mdb_txn_abort(transaction) }
        // Another thread has reopened the environment already.
        guard status == MDB_PANIC else { return }
        close()
        unsafe pointer = try unsafe open { pointer throws(StorageError) in try unsafe tables.openAgain(pointer) }
    }

    private func open(_ openTables: (OpaquePointer) throws(StorageError) -> Void) throws(StorageError) -> OpaquePointer
    {
        try reserveLockFile()
        var pointer: OpaquePointer?
        try check(unsafe mdb_env_create(&pointer), "open")
        guard let pointer = unsafe pointer else { throw StorageError(.other(ENOMEM), during: "open") }
        do throws(StorageError) {
            try check(unsafe mdb_env_set_mapsize(pointer, options.mapSize), "reserve the map")
            try check(unsafe mdb_env_set_maxreaders(pointer, options.maximumReaders), "set the readers")
            try check(unsafe mdb_env_set_maxdbs(pointer, options.maximumTables), "set the tables")
            var flags = UInt32(MDB_NOTLS)
            if !options.isSynced { flags |= UInt32(MDB_NOSYNC) }
            if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
            try check(unsafe mdb_env_open(pointer, folder, flags, 0o600), "open")
            // LMDB lets child processes inherit its descriptor. A child that takes the number for another file writes
            // into the database: Swift's crash handler does so in a process that has no free descriptor left.
            var descriptor: Int32 = -1
            try check(unsafe mdb_env_get_fd(pointer, &descriptor), "open")
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw StorageError(errno: errno, during: "open") }
            if !options.isReadOnly {
                Ownership.adopt(descriptor, at: folder + "/data.mdb")
                try unsafe fillUp(pointer, descriptor)
            }
            try unsafe openTables(pointer)
        } catch {
            unsafe mdb_env_close(pointer)
            throw error
        }
        return unsafe pointer
    }

    /// Allocates the disk space of LMDB's lock file before LMDB maps it.
    ///
    /// LMDB itself leaves a hole in the file and writes into it. LMDB's locks on that file are released when this
    /// process closes any descriptor of it, so this runs only while the environment is not open in this process.
    private func reserveLockFile() throws(StorageError) {
        let path = folder + "/lock.mdb"
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            // A journal opened read-only may be on a filesystem that cannot be written to; LMDB decides how to handle
            // that.
            if options.isReadOnly { return }
            throw errno == ELOOP
                ? StorageError(.symbolicLink, during: "open \(path)")
                : StorageError(errno: errno, during: "open \(path)")
        }
        defer { Glibc.close(descriptor) }
        Ownership.adopt(descriptor, at: path)
        let size = FileStatus(of: descriptor)?.size ?? 0
        try Room.reserve(
            size == 0 ? EnvironmentHandle.lockFileSize(options) : size,
            of: descriptor,
            during: "reserve the lock file"
        )
        // Set before other threads can see this object, and not again on a reopen: the lock file stays the same.
        if writerLock == nil { writerLock = WriterLock(descriptor) }
    }

    /// The size that LMDB gives its lock file: a header of three cache lines, which includes the first reader slot, and
    /// one cache line for each further slot.
    static func lockFileSize(_ options: Environment.Options) -> Int {
        192 + (Int(options.maximumReaders) - 1) * 64
    }

    /// Extends a file that is shorter than its meta page states.
    ///
    /// Reading a mapped file beyond its end kills the process; pages that read as zeros are reported as damage. An
    /// undamaged file may also lack pages at its end that no transaction has used yet.
    private func fillUp(_ pointer: OpaquePointer, _ descriptor: Int32) throws(StorageError) {
        var (information, statistics) = unsafe (MDB_envinfo(), MDB_stat())
        unsafe mdb_env_info(pointer, &information)
        unsafe mdb_env_stat(pointer, &statistics)
        let wanted = unsafe (information.me_last_pgno + 1) * Int(statistics.ms_psize)
        guard try size(of: descriptor) < wanted else { return }
        // Inside a write transaction no other process extends the file, so that `ftruncate` cannot cut off its pages.
        var transaction: OpaquePointer?
        try check(unsafe mdb_txn_begin(pointer, nil, 0, &transaction), "open")
        defer { unsafe mdb_txn_abort(transaction) }
        guard try size(of: descriptor) < wanted else { return }
        guard ftruncate(descriptor, off_t(wanted)) == 0 else { throw StorageError(errno: errno, during: "open") }
    }

    private func size(of descriptor: Int32) throws(StorageError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw StorageError(errno: errno, during: "open") }
        return Int(status.st_size)
    }
}

/// The environments that this process has open, by their identity on the disk rather than by path.
enum OpenEnvironments {
    private static let identities = Guarded<Set<FileIdentity>>([])

    static func insert(_ identity: FileIdentity) -> Bool {
        identities.withLock { $0.insert(identity).inserted }
    }

    static func remove(_ identity: FileIdentity) {
        _ = identities.withLock { $0.remove(identity) }
    }
}
