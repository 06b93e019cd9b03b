import Foundation

/// The peak of the memory that is not page cache, over all samples.
struct AnonymousMemory {
    private(set) var peakMiB = 0.0
    private var last = ContinuousClock.now

    /// Takes a sample, unless the last one is at most 20 ms old.
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
