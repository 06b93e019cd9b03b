/// What the writer of this process has done since the log was opened.
package struct AppendStatistics: Hashable, Sendable {
    /// Appends that were answered, the refused among them.
    package internal(set) var appends = 0
    /// Events that were handed to the writer.
    package internal(set) var events = 0
    /// Transactions: each ends with one sync.
    package internal(set) var groups = 0
    /// Appends that were turned away because the queue was full.
    package internal(set) var turnedAway = 0
    /// How long the transactions took, their syncs included.
    package internal(set) var time: Duration = .zero
    /// How many transactions took no longer than each of `bounds`; counted in the first that fits.
    package internal(set) var times = [Int](repeating: 0, count: AppendStatistics.bounds.count + 1)
    /// Appends that wait at this moment.
    package internal(set) var waiting = 0

    /// Upper bounds of a transaction's time, in microseconds.
    package static let bounds: [Int64] = [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 1_000_000,
    ]

    mutating func count(_ group: [AppendRequest], in duration: Duration) {
        appends += group.count
        events += group.reduce(0) { $0 + $1.frames.count }
        groups += 1
        time += duration
        let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
        times[Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count] += 1
    }
}
