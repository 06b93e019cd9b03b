/// Statistics of this process's writer since the log was opened.
package struct AppendStatistics: Hashable, Sendable {
    /// Appends that were answered, including those that were refused.
    package internal(set) var appends = 0
    /// Events of these appends.
    package internal(set) var events = 0
    /// Groups of appends.
    ///
    /// A group is normally committed in one transaction with one sync.
    package internal(set) var groups = 0
    /// Appends that were refused because the queue was full.
    package internal(set) var rejected = 0
    /// The total time that committing the groups took, including syncs.
    package internal(set) var time: Duration = .zero
    /// The number of groups that took no longer than each of `bounds`, counted at the first bound that fits.
    ///
    /// The last element counts the groups that took longer than all bounds.
    package internal(set) var times = [Int](repeating: 0, count: AppendStatistics.bounds.count + 1)
    /// Appends that are in the queue.
    package internal(set) var waiting = 0

    /// Upper bounds of the time that committing a group takes, in microseconds.
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
