import EventLog
import HealthModel

/// The reason why a command failed, and the exit status of the process.
struct Failure: Error {
    enum Code: Int32 {
        case failed = 1
        case notFound = 2
        case mismatch = 3
        case usage = 64
    }

    static let inverted = Failure(.usage, "the period ends before it begins: --since is later than --until")

    let code: Code
    let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Converts an error of the lower layers; none of their messages contains event content.
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
