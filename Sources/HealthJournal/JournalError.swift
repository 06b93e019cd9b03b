package import EventLog
internal import FoundationEssentials
package import HealthModel
internal import LMDB
internal import ProjectionKit

/// Why the journal refused something or could not do it.
///
/// Never holds what a record says.
package struct JournalError: Error, Hashable, Sendable {
    package enum Code: String, Sendable {
        /// A value that was given cannot be taken.
        case invalid
        case notFound
        /// Who asks has not shown who they are.
        case unauthenticated
        /// The account may not do that.
        case refused
        /// It does not go with what the journal holds.
        case conflict
        /// What was to be changed is not what the caller had seen of it.
        case stale
        /// Too much is waiting; the same again in a moment may pass.
        case busy
        /// What the subject's data key could have opened was erased.
        case erased
        /// What is stored is not what was written.
        case damaged
        /// Something outside failed: a disk, a key file.
        case failed
        /// A program that it takes is not there.
        case notInstalled
    }

    package let code: Code
    /// The path of the field at fault, if one is.
    package let field: String?
    /// What was wrong and what to do.
    package let message: String
    /// After how many seconds the same again may pass, where that is known.
    package let retryAfter: Int?

    package init(_ code: Code, field: String? = nil, _ message: String, retryAfter: Int? = nil) {
        self.code = code
        self.field = field
        self.message = message
        self.retryAfter = retryAfter
    }
}

extension JournalError {
    static let stale = JournalError(.stale, "this was changed in the meantime; look at it again and repeat")
    static let noRecord = JournalError(.notFound, "there is no such record")
    static let idInUse = JournalError(
        .conflict,
        field: "id",
        "there is an entry, a record or an account of this id already"
    )
}

extension JournalError: CustomStringConvertible {
    package var description: String { field.map { "\($0): \(message)" } ?? message }
}

extension JournalError {
    /// Any error of the layers below, in the words of this one.
    package init(_ error: any Error) {
        switch error {
        case let error as JournalError: self = error
        case let error as ModelError: self.init(error)
        case let error as EventLogError: self.init(error)
        case let error as ProjectionError: self.init(.damaged, "\(error); run: healthjournal doctor")
        case let error as LMDBError: self.init(.failed, error.description)
        case let error as CocoaError where error.code == .fileWriteOutOfSpace:
            self.init(.failed, "the disk is full: make room, and repeat")
        case let error as CocoaError where error.code == .fileWriteNoPermission || error.code == .fileReadNoPermission:
            self.init(.failed, "the folder of the journal, or the one it lies in, may not be written by this user")
        case is CancellationError: self.init(.failed, "it was cancelled")
        default: self.init(.failed, "something unforeseen went wrong")
        }
    }

    package init(_ error: ModelError) {
        switch error.code {
        case .invalid: self.init(.invalid, field: error.field, error.message)
        case .conflict: self.init(.conflict, field: error.field, error.message)
        case .notFound: self.init(.notFound, field: error.field, error.message)
        }
    }

    package init(_ error: EventLogError) {
        let code: Code =
            switch error.code {
            case .versionConflict, .keyConflict, .journalExists, .rolledBack, .otherPast, .placeTaken: .conflict
            case .busy: .busy
            case .tooLarge: .invalid
            case .notAJournal, .notFound, .notABackup: .notFound
            case .subjectErased: .erased
            case .damaged: .damaged
            case .newerFormat, .diskFull, .masterKeyMissing, .masterKeyWrong, .readOnly, .storage: .failed
            }
        self.init(code, error.message)
    }
}
