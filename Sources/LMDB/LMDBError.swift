internal import CLMDB
internal import Glibc

/// An error of the storage engine, with the operation that failed.
package struct LMDBError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        case mapFull
        case diskFull
        case readersFull
        case keyExists
        case notFound
        case corrupted
        case versionMismatch
        case notADatabase
        case valueTooLarge
        case badKeySize
        case transactionFull
        case tablesFull
        case alreadyOpen
        case networkFilesystem
        case nestedWrite
        /// Another process has enlarged the map while this thread holds a snapshot.
        case mapGrown
        /// Another process has created the table since this one opened the environment.
        case tableNotOpen
        case permissionDenied
        case readOnlyFilesystem
        /// The disk itself reported a failure.
        case diskFailed
        case tooManyFiles
        /// A symbolic link was found where only a file or folder itself is accepted.
        case symbolicLink
        case isFolder
        /// A device, pipe or socket was found where a file is needed.
        case notAFile
        /// The file or folder belongs to a user other than that of this process.
        case foreignOwner
        /// A write failed halfway, and the environment could not be reopened since.
        case halted
        /// An errno or an LMDB status without a case of its own.
        case other(Int32)
    }

    package let code: Code
    /// A description of the operation that failed, for the reader of the error.
    package let operation: String

    package init(_ code: Code, during operation: String) {
        self.code = code
        self.operation = operation
    }

    init(status: Int32, during operation: String) {
        self.init(Code(status: status), during: operation)
    }
}

extension LMDBError.Code {
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
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM: .permissionDenied
            case EROFS: .readOnlyFilesystem
            case EIO: .diskFailed
            case EMFILE, ENFILE: .tooManyFiles
            default: .other(status)
            }
    }
}

extension LMDBError: CustomStringConvertible {
    package var description: String { "\(operation): \(code.explanation)" }
}

extension LMDBError.Code {
    /// What happened, and what to do about it.
    package var explanation: String {
        switch self {
        case .mapFull: "the map reserved for this database is full; open the journal with a larger map size"
        case .diskFull: "no space is left on the disk; free some space and try again"
        case .readersFull: "too many readers are active; try again when some have finished"
        case .keyExists: "the key already exists"
        case .notFound: "there is no such key or table"
        case .corrupted: "the database file is damaged"
        case .versionMismatch: "the database file was written by another version of LMDB"
        case .notADatabase: "the file is not an LMDB database"
        case .valueTooLarge: "the value is too large"
        case .badKeySize: "the key is empty or too long"
        case .transactionFull: "the transaction has grown too large"
        case .tablesFull: "too many tables are open"
        case .alreadyOpen: "this process already has that database open; share the one that is open"
        case .networkFilesystem:
            "the folder is on a network filesystem, where LMDB loses data; keep the journal on a local disk"
        case .nestedWrite: "a write transaction was begun inside another one"
        case .mapGrown: "another process has made the database larger; begin the outer read again"
        case .tableNotOpen: "another process has created this table; begin the outer read again"
        case .permissionDenied: "permission denied"
        case .readOnlyFilesystem: "the filesystem is read-only"
        case .diskFailed: "the disk reports an error; check the system log, and have a backup ready"
        case .tooManyFiles: "too many files are open; close some, or raise the limit (ulimit -n), and try again"
        case .symbolicLink: "it is a symbolic link, which is not followed here; put the file or folder itself there"
        case .isFolder: "it is a folder; name a file"
        case .notAFile: "it is not a regular file"
        case .foreignOwner: "it belongs to another user"
        case .halted: "an earlier write to the disk failed half-way; close the journal and open it again"
        case .other(let status): unsafe String(cString: mdb_strerror(status))
        }
    }
}
