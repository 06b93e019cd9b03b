internal import CLMDB
internal import Glibc
internal import Platform

extension StorageError {
    /// An error with a status of LMDB, which is either one of its own or an errno.
    init(status: Int32, during operation: String) {
        self.init(Code(status: status), during: operation)
    }
}

extension StorageError.Code {
    init(status: Int32) {
        self =
            switch status {
            case MDB_MAP_FULL: .mapFull
            case MDB_READERS_FULL: .readersFull
            case MDB_KEYEXIST: .keyExists
            case MDB_NOTFOUND: .notFound
            case MDB_PANIC: .halted
            case MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_CURSOR_FULL, MDB_PAGE_FULL: .corrupted
            case MDB_VERSION_MISMATCH: .versionMismatch
            case MDB_INVALID: .notADatabase
            case MDB_BAD_VALSIZE: .badKeySize
            case MDB_TXN_FULL: .transactionFull
            case MDB_DBS_FULL: .tablesFull
            case MDB_MAP_RESIZED: .mapGrown
            // LMDB's own statuses are negative, and it passes on those of the system as they are.
            case ..<0: .database(status: status, explanation: unsafe String(cString: mdb_strerror(status)))
            default: Self(errno: status)
            }
    }
}

/// Throws unless the status of an LMDB call that writes to the file is success.
///
/// When the disk fills up in the middle of a write, LMDB reports an input/output error.
func checkWritten(
    _ status: Int32,
    _ environment: OpaquePointer,
    _ operation: @autoclosure () -> String
) throws(StorageError) {
    if status == EIO {
        var descriptor: Int32 = -1
        unsafe mdb_env_get_fd(environment, &descriptor)
        if Filesystem.isFull(descriptor) { throw StorageError(.diskFull, during: operation()) }
    }
    try check(status, operation())
}

/// Throws unless the status of an LMDB call is success.
func check(_ status: Int32, _ operation: @autoclosure () -> String) throws(StorageError) {
    guard status == MDB_SUCCESS else { throw StorageError(status: status, during: operation()) }
}
