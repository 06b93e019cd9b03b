internal import LMDB

/// Why the log refused something or could not do it.
///
/// Never holds what an event says.
package struct EventLogError: Error, Sendable {
    package enum Code: Hashable, Sendable {
        /// The folder holds no journal.
        case notAJournal
        /// The folder holds a journal already.
        case journalExists
        /// The journal was written by a newer version.
        case newerFormat
        /// The queue is full; nothing was taken.
        case busy
        /// A stream is not at the version that was expected.
        case versionConflict
        /// The idempotency key came before, with other content.
        case keyConflict
        case tooLarge
        case diskFull
        case masterKeyMissing
        case masterKeyWrong
        /// The subject's key was destroyed: nothing can be read or added.
        case subjectErased
        /// What is stored is not what was written.
        case damaged
        case readOnly
        /// The log does not extend the checkpoint that was kept of it.
        case rolledBack
        /// There is no such position.
        case notFound
        /// The folder holds no backup.
        case notABackup
        /// The backup is of another journal, or of another past of this one.
        case otherPast
        /// The folder that was named cannot be used: something else is there.
        case placeTaken
        case storage
    }

    package let code: Code
    /// What was wrong and what to do.
    package let message: String
    /// The position at fault, if one is.
    package let position: UInt64?
    let underlying: LMDBError?

    package init(_ code: Code, _ message: String, position: UInt64? = nil) {
        self.init(code, message, position: position, underlying: nil)
    }

    init(_ code: Code, _ message: String, position: UInt64?, underlying: LMDBError?) {
        self.code = code
        self.message = message
        self.position = position
        self.underlying = underlying
    }

    init(_ error: LMDBError) {
        let code: Code =
            switch error.code {
            case .diskFull, .mapFull: .diskFull
            case .corrupted, .notADatabase, .versionMismatch: .damaged
            case .readOnlyFilesystem, .permissionDenied: .readOnly
            default: .storage
            }
        self.init(code, error.description, position: nil, underlying: error)
    }

    /// Any error of this layer or the one below, in the words of this one; of any other, what could not be done.
    init(_ error: any Error, as code: Code = .storage, _ what: @autoclosure () -> String) {
        switch error {
        case let error as EventLogError: self = error
        case let error as LMDBError: self.init(error)
        default: self.init(code, what())
        }
    }

    /// Whether it lies with this process, and not with what is stored.
    var isOfTheReader: Bool { [.tooManyFiles, .permissionDenied].contains(underlying?.code) }

    static func damaged(_ what: String, at position: UInt64) -> EventLogError {
        EventLogError(.damaged, "position \(position): \(what)", position: position)
    }
}

extension EventLogError: CustomStringConvertible {
    package var description: String { message }
}
