import Glibc
import Interchange

/// Writes messages for the user to the standard error, separate from the data.
enum Messages {
    static func say(_ message: String) {
        put("healthjournal-replay: \(TerminalText.escaped(message))\n")
    }

    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    static func put(_ text: String) {
        let output = ReplayOutput(descriptor: STDERR_FILENO)
        // There is no other place to report to if the standard error fails; the exit status still tells.
        try? output.write(text)
        try? output.flush()
    }
}

/// Shows the progress of a long operation, only on a terminal and only after it has taken a second.
final class ReplayProgress {
    private static let quietTime = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)

    private let what: String
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    init(_ what: String, isShown: Bool = Messages.isTerminal) {
        self.what = what
        self.isShown = isShown
    }

    deinit {
        if last != nil { Messages.put("\r\u{1B}[K") }
    }

    func report(_ done: UInt64, of all: UInt64) {
        guard isShown, all > 0 else { return }
        let now = ContinuousClock.now
        guard now - start > ReplayProgress.quietTime, last.map({ now - $0 > ReplayProgress.interval }) ?? true else {
            return
        }
        last = now
        Messages.put("\r\(what) \(done * 100 / all) %")
    }
}
