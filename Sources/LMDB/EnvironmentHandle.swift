internal import CLMDB
internal import Glibc

/// The C handle of an environment; LMDB allows its use from any thread.
///
/// After a write of its own that failed half-way, LMDB refuses all that comes, reads too, until the environment is
/// opened again. That is done here, so that one failure of the disk is one append's and nobody else's.
@safe final class EnvironmentHandle: @unchecked Sendable {
    /// Nil when the environment could not be opened again.
    ///
    /// Changed only while no transaction is alive and nobody looks.
    private(set) var pointer: OpaquePointer?
    let tables = OpenTables()
    private let folder: String
    private let options: Environment.Options

    init(folder: String, options: Environment.Options) throws(LMDBError) {
        self.folder = folder
        self.options = options
        unsafe pointer = try unsafe open { pointer throws(LMDBError) in try unsafe tables.openAll(pointer) }
    }

    func close() {
        if let pointer = unsafe pointer { unsafe mdb_env_close(pointer) }
        unsafe pointer = nil
    }

    /// Begins a transaction; says what LMDB says.
    func begin(_ flags: UInt32, _ transaction: inout OpaquePointer?) -> Int32 {
        guard let pointer = unsafe pointer else { return MDB_PANIC }
        return unsafe mdb_txn_begin(pointer, nil, flags, &transaction)
    }

    /// Opens the environment again if it refuses everything.
    ///
    /// No transaction may be alive.
    func reopenIfHalted() throws(LMDBError) {
        var transaction: OpaquePointer?
        let status = unsafe begin(UInt32(MDB_RDONLY), &transaction)
        if let transaction = unsafe transaction { unsafe mdb_txn_abort(transaction) }
        // Another thread has been here already.
        guard status == MDB_PANIC else { return }
        close()
        unsafe pointer = try unsafe open { pointer throws(LMDBError) in try unsafe tables.openAgain(pointer) }
    }

    private func open(_ openTables: (OpaquePointer) throws(LMDBError) -> Void) throws(LMDBError) -> OpaquePointer {
        var pointer: OpaquePointer?
        try check(unsafe mdb_env_create(&pointer), "open")
        guard let pointer = unsafe pointer else { throw LMDBError(.other(ENOMEM), during: "open") }
        do throws(LMDBError) {
            try check(unsafe mdb_env_set_mapsize(pointer, options.mapSize), "reserve the map")
            try check(unsafe mdb_env_set_maxreaders(pointer, options.maximumReaders), "set the readers")
            try check(unsafe mdb_env_set_maxdbs(pointer, options.maximumTables), "set the tables")
            var flags = UInt32(MDB_NOTLS)
            if !options.isSynced { flags |= UInt32(MDB_NOSYNC) }
            if options.isReadOnly { flags |= UInt32(MDB_RDONLY) }
            try check(unsafe mdb_env_open(pointer, folder, flags, 0o600), "open")
            // LMDB lets its file be inherited. A child that thinks the number something else writes into it: Swift's own
            // crash handler does so, in a process that has no descriptor left.
            var descriptor: Int32 = -1
            try check(unsafe mdb_env_get_fd(pointer, &descriptor), "open")
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw LMDBError(status: errno, during: "open") }
            if !options.isReadOnly { try unsafe fillUp(pointer, descriptor) }
            try unsafe openTables(pointer)
        } catch {
            unsafe mdb_env_close(pointer)
            throw error
        }
        return unsafe pointer
    }

    /// Makes a file that ends too soon as long as it says it is.
    ///
    /// Reading a mapped file behind its end kills the process; what reads as zeros is told as damage. Pages at the end
    /// that no transaction has used yet are missing from a sound file too.
    private func fillUp(_ pointer: OpaquePointer, _ descriptor: Int32) throws(LMDBError) {
        var (information, statistics) = unsafe (MDB_envinfo(), MDB_stat())
        unsafe mdb_env_info(pointer, &information)
        unsafe mdb_env_stat(pointer, &statistics)
        let wanted = unsafe (information.me_last_pgno + 1) * Int(statistics.ms_psize)
        guard try size(of: descriptor) < wanted else { return }
        // Only a writer makes it longer, so that nobody's pages are cut off while this is one.
        var transaction: OpaquePointer?
        try check(unsafe mdb_txn_begin(pointer, nil, 0, &transaction), "open")
        defer { unsafe mdb_txn_abort(transaction) }
        guard try size(of: descriptor) < wanted else { return }
        guard ftruncate(descriptor, off_t(wanted)) == 0 else { throw LMDBError(status: errno, during: "open") }
    }

    private func size(of descriptor: Int32) throws(LMDBError) -> Int {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw LMDBError(status: errno, during: "open") }
        return Int(status.st_size)
    }
}
