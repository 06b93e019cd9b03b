import Foundation

/// The most memory that is not page cache, of the moments at which it was looked at.
struct AnonymousMemory {
    private(set) var peakMiB = 0.0
    private var last = ContinuousClock.now

    /// Looks, if the last look is some time ago.
    mutating func sample() {
        let now = ContinuousClock.now
        guard now - last > .milliseconds(20) else { return }
        last = now
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") }),
            let kibibytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { return }
        peakMiB = max(peakMiB, kibibytes / 1_024)
    }
}
