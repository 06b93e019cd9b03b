package import EventLog
internal import FoundationEssentials
package import HealthModel
internal import Platform
internal import ProjectionKit

/// The reason why the journal refused a request or could not process it.
///
/// Never contains data of a record.
public struct JournalError: Error, Hashable, Sendable {
    /// What kind of problem it is.
    public enum Code: String, Sendable {
        /// A given value is not valid.
        case invalid
        case notFound
        /// The caller is not authenticated.
        case unauthenticated
        /// The account may not perform the action.
        case refused
        /// The subscription of the account is over, so that it may no longer change anything.
        case subscriptionExpired
        /// The request conflicts with what the journal holds.
        case conflict
        /// The rules of a plan contradict each other, or a change of it reaches into the past.
        case scheduleConflict
        /// The time of a specialist, a room or a patient is taken.
        case slotTaken
        /// The entity has changed since the caller last read it.
        case stale
        /// The queue is full; the same request may succeed in a moment.
        case busy
        /// The required view is still being brought up to date; the same request may succeed after `retryAfter`
        /// seconds.
        case catchingUp
        /// A newer version of this program has changed the journal, so this one must be replaced.
        case outdated
        /// The data was erased together with its subject's data key.
        case erased
        /// The stored data is not the data that was written.
        case damaged
        /// No space is left on the disk, so that nothing can be stored until some is freed.
        case diskFull
        /// Something outside the journal failed, such as a disk or a key file.
        case failed
        /// A machine outside, such as that of a channel for reminders, did not answer or did not accept a message.
        case remoteFailed
        /// A required program is not installed.
        case notInstalled
    }

    /// What kind of problem it is.
    public let code: Code
    /// The path of the invalid field, if there is one.
    public let field: String?
    /// The problem and its remedy, for the user.
    package let text: Message
    /// The number of seconds after which the same request may succeed, if known.
    public let retryAfter: Int?
    /// The view that lagged a little, if that is why the operation failed: it succeeds after `waitForView`.
    private(set) var laggingView: String?
    /// Whether the journal accepts nothing at present, whatever the request says.
    private(set) var concernsJournal = false
    /// Whether concurrent changes prevented it, so that the same request may succeed when they are over.
    var isConcurrent = false
    /// The time that is in the way of an appointment, and what can be booked instead.
    package var taken: TakenTime?
    /// Why a dose is asked about before it is logged.
    package var doubts: [DoseDoubt] = []
    /// Everything that is in the way of an appointment; the error itself is about the first one.
    package var conflicts: [BookingConflict] = []

    package init(_ code: Code, field: String? = nil, _ text: Message, retryAfter: Int? = nil) {
        self.code = code
        self.field = field
        self.text = text
        self.retryAfter = retryAfter
    }

    /// The problem and its remedy, in English.
    public var message: String { text.description }
}

extension JournalError {
    package static let stale = JournalError(.stale, "this was changed in the meantime; read it again and retry")
    package static let noRecord = JournalError(.notFound, "there is no such record")
    package static let noPlan = JournalError(.notFound, "there is no such medication or supplement in this record")
    package static let idInUse = JournalError(
        .conflict,
        field: "id",
        "there is already an entry, a record or an account with this id"
    )
}

extension JournalError: CustomStringConvertible {
    /// The field, if there is one, and the message.
    public var description: String { field.map { "\($0): \(message)" } ?? message }
}

extension JournalError {
    /// Converts any error of the layers below.
    package init(_ error: any Error) {
        switch error {
        case let error as JournalError: self = error
        case let error as ModelError: self.init(error)
        case let error as EventLogError: self.init(error)
        case let error as ProjectionError: self.init(.damaged, "\(error); run: healthjournal doctor")
        case let error as ViewCatchingUp:
            self.init(.catchingUp, Message(verbatim: error.description), retryAfter: error.seconds)
        case let error as ViewLagging:
            self.init(.catchingUp, "a view is being brought up to date; try again in a moment", retryAfter: 1)
            laggingView = error.projection
        case let error as NewerView: self.init(.outdated, Message(verbatim: error.description))
        case let error as StorageError where error.code == .diskFull:
            self.init(.diskFull, Message(verbatim: error.description))
        case let error as StorageError: self.init(.failed, Message(verbatim: error.description))
        case let error as CocoaError where error.code == .fileWriteOutOfSpace:
            self.init(.diskFull, "the disk is full: free some space and retry")
        case let error as CocoaError where error.code == .fileWriteNoPermission || error.code == .fileReadNoPermission:
            self.init(.failed, "this user has no write permission for the journal's folder or its parent folder")
        case let error as CocoaError where error.code == .fileWriteVolumeReadOnly:
            let path = error.filePath ?? "the journal's folder"
            self.init(.failed, "\(path) cannot be written: the file system is read-only")
        case is CancellationError: self.init(.failed, "the operation was cancelled")
        default: self.init(.failed, "an unexpected error occurred")
        }
    }

    package init(_ error: ModelError) {
        switch error.code {
        case .invalid: self.init(.invalid, field: error.field, error.text)
        case .conflict: self.init(.conflict, field: error.field, error.text)
        case .scheduleConflict: self.init(.scheduleConflict, field: error.field, error.text)
        case .slotTaken: self.init(.slotTaken, field: error.field, error.text)
        case .notFound: self.init(.notFound, field: error.field, error.text)
        }
    }

    package init(_ error: EventLogError) {
        let code: Code =
            switch error.code {
            case .versionConflict, .keyConflict, .journalExists, .rolledBack, .differentHistory, .locationUnusable,
                .clockWrong:
                .conflict
            case .busy, .keyRetired: .busy
            case .tooLarge: .invalid
            case .notAJournal, .notFound, .notABackup: .notFound
            case .subjectErased: .erased
            case .damaged: .damaged
            case .diskFull: .diskFull
            case .newerFormat, .masterKeyMissing, .masterKeyWrong, .readOnly, .storage: .failed
            }
        self.init(code, Message(verbatim: error.message))
        concernsJournal = [.clockWrong, .rolledBack, .differentHistory, .locationUnusable].contains(error.code)
    }
}

extension ModelError {
    package static let noDose = ModelError(
        .notFound,
        "this entry is not a dose: to take back another entry, use entry retract"
    )
}

extension JournalError {
    /// Whether the same request may succeed later.
    package var isTransient: Bool {
        if concernsJournal { return true }
        return switch code {
        case .busy, .catchingUp, .outdated, .diskFull, .failed, .damaged, .unauthenticated, .notInstalled,
            .remoteFailed:
            true
        case .invalid, .notFound, .refused, .subscriptionExpired, .conflict, .scheduleConflict, .slotTaken, .stale,
            .erased:
            false
        }
    }
}
