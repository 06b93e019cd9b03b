import Foundation
import Glibc

/// Shows the progress of a long operation on a terminal; prints nothing during the first second.
final class Progress {
    private let what: String
    private let start = ContinuousClock.now
    private var last = ContinuousClock.now
    private var isShown = false

    init(_ what: String) {
        self.what = what
    }

    func show(_ done: UInt64, of total: UInt64) {
        let now = ContinuousClock.now
        guard isatty(STDERR_FILENO) != 0, now - start > .seconds(1), now - last > .milliseconds(200) else { return }
        last = now
        isShown = true
        write("\r\u{1B}[K\(what): \(done) of \(total) (\(done * 100 / max(total, 1)) %)")
    }

    func finish() {
        if isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) {
        // Progress that cannot be shown is no reason to stop.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
