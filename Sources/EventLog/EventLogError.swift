internal import Platform

/// An error of the log.
///
/// It never contains the content of an event.
package struct EventLogError: Error, Sendable {
    package enum Code: Hashable, Sendable {
        /// The folder holds no journal.
        case notAJournal
        /// The folder holds a journal already.
        case journalExists
        /// The journal was written by a newer version.
        case newerFormat
        /// The queue is full, and nothing was queued.
        case busy
        /// A stream is not at the expected version.
        case versionConflict
        /// An idempotency key was used before with other content, or twice in one append; or a subject's id is
        /// reserved.
        case keyConflict
        case tooLarge
        case diskFull
        case masterKeyMissing
        case masterKeyWrong
        /// The data of the subject or the entry was erased: it cannot be read, and nothing can be added.
        case subjectErased
        /// An event was sealed under a key that is no longer used; it must be sealed again.
        case keyRetired
        /// The stored data differs from the data that was written.
        case damaged
        case readOnly
        /// The log does not extend the checkpoint that was kept of it.
        case rolledBack
        /// The wall clock was changed, or is far ahead of the newest event.
        case clockWrong
        /// The position does not exist, or its event is not the requested one.
        case notFound
        /// The folder holds no backup.
        case notABackup
        /// The backup is of another journal, or of another history of this journal.
        case differentHistory
        /// The named folder or file cannot be used: for example, it contains other files or belongs to another user.
        case locationUnusable
        case storage
    }

    package let code: Code
    /// The problem and what the user can do.
    package let message: String
    /// The position of the event that the error concerns, if any.
    package let position: UInt64?
    let underlying: StorageError?

    package init(_ code: Code, _ message: String, position: UInt64? = nil) {
        self.init(code, message, position: position, underlying: nil)
    }

    init(_ code: Code, _ message: String, position: UInt64?, underlying: StorageError?) {
        self.code = code
        self.message = message
        self.position = position
        self.underlying = underlying
    }

    init(_ error: StorageError) {
        let code: Code =
            switch error.code {
            case .diskFull, .mapFull: .diskFull
            case .corrupted, .notADatabase, .versionMismatch: .damaged
            case .readOnlyFilesystem, .permissionDenied: .readOnly
            default: .storage
            }
        self.init(code, error.description, position: nil, underlying: error)
    }

    /// Converts an error of this layer or of the storage; any other error becomes `code` with the message `what`.
    init(_ error: any Error, as code: Code = .storage, _ what: @autoclosure () -> String) {
        switch error {
        case let error as EventLogError: self = error
        case let error as StorageError: self.init(error)
        default: self.init(code, what())
        }
    }

    /// Whether the cause is a limit or a permission of this process, and not the stored data.
    var isOfTheReader: Bool { [.tooManyFiles, .permissionDenied].contains(underlying?.code) }

    /// Whether the filesystem has no space left, and not only a map or the part beside the reserve.
    var isOfFullDisk: Bool { code == .diskFull && underlying?.code == .diskFull }

    static func damaged(_ what: String, at position: UInt64) -> EventLogError {
        EventLogError(.damaged, "position \(position): \(what)", position: position)
    }
}

extension EventLogError: CustomStringConvertible {
    package var description: String { message }
}
