import EventLog
import Synchronization

/// Durable appends: so many writers, each waiting for its append before it makes the next.
public struct AppendWork: Sendable {
    /// How many append at once.
    public var writers = 1
    /// Events of one append.
    public var batch = 1
    /// Streams among which the events are spread at random.
    public var streams = 10_000
    /// For how long.
    public var seconds = 3.0
    /// Events that are there before anything is measured.
    public var prefill = 0

    /// Events of one append while the journal is filled.
    private static let filling = 5_000

    /// Makes the work with its usual sizes.
    public init() {}

    /// Does the work, and answers what was measured.
    public func run(in folder: WorkFolder) async throws -> WorkResult {
        let log = try folder.create()
        defer { log.close() }
        var events = PlainEvents(streams: streams, seed: 0)
        try await log.append(events.ofEachSubject())
        var missing = prefill
        while missing > 0 {
            let count = min(missing, AppendWork.filling)
            try await log.append(events.next(count))
            missing -= count
        }
        let before = try log.head()
        let begin = ContinuousClock.now
        let end = begin + .seconds(seconds)
        let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for writer in 0..<writers {
                group.addTask { try await append(to: log, until: end, seed: UInt64(writer) + 1) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let taken = ContinuousClock.now - begin
        return WorkResult("append", events: Int(try log.head() - before), in: taken)
            .with("writers", writers).with("batch", batch).with("prefill", prefill)
            .with("p50_us", times.quantile(0.5).microseconds).with("p99_us", times.quantile(0.99).microseconds)
            .with("bytes", folder.logBytes(log)).with("commits", log.appendStatistics?.groups ?? 0)
    }

    /// Appends until the time is up; answers how long each append took.
    @concurrent
    private func append(to log: EventLog, until end: ContinuousClock.Instant, seed: UInt64) async throws -> [Duration] {
        var events = PlainEvents(streams: streams, seed: seed)
        var times: [Duration] = []
        var now = ContinuousClock.now
        while now < end {
            try await log.append(events.next(batch))
            let after = ContinuousClock.now
            times.append(after - now)
            now = after
        }
        return times
    }
}
