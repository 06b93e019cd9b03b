internal import Glibc

/// An error of the filesystem or of the database, with the operation that failed.
///
/// Both layers share one type, because callers treat a full disk or a missing permission the same in either.
package struct StorageError: Error, Hashable, Sendable {
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
        /// A status of the database without a case of its own.
        case database(status: Int32, explanation: String)
        /// An errno without a case of its own.
        case other(Int32)
    }

    package let code: Code
    /// A description of the operation that failed, for the reader of the error.
    package let operation: String

    package init(_ code: Code, during operation: String) {
        self.code = code
        self.operation = operation
    }

    package init(errno code: Int32, during operation: String) {
        self.init(Code(errno: code), during: operation)
    }
}

extension StorageError.Code {
    package init(errno code: Int32) {
        self =
            switch code {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM: .permissionDenied
            case EROFS: .readOnlyFilesystem
            case EIO: .diskFailed
            case EMFILE, ENFILE: .tooManyFiles
            default: .other(code)
            }
    }
}

extension StorageError: CustomStringConvertible {
    package var description: String { "\(operation): \(code.explanation)" }
}

extension StorageError.Code {
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
        case .database(_, let explanation): explanation
        case .other(let code): unsafe String(cString: strerror(code))
        }
    }
}
