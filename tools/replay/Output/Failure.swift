import EventLog
import HealthModel

/// Why a command did not do what it was asked, and the status with which the process says so.
struct Failure: Error {
    enum Code: Int32 {
        case failed = 1
        case notFound = 2
        case mismatch = 3
        case usage = 64
    }

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Any error of the layers below; none of them says what an event holds.
    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as EventLogError:
            switch error.code {
            case .notAJournal, .notFound: self.init(.notFound, error.message)
            case .rolledBack: self.init(.mismatch, error.message)
            default: self.init(.failed, error.message)
            }
        case let error as ModelError:
            self.init(error.code == .notFound ? .notFound : .failed, error.description)
        default: self.init(.failed, String(describing: error))
        }
    }
}
