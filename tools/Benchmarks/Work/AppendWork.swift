import EventLog

/// A workload of durable appends: each writer waits for its append before it makes the next.
public struct AppendWork: Sendable {
    /// The number of concurrent writers.
    public var writers = 1
    /// The number of events in one append.
    public var batch = 1
    /// The number of streams over which the events are spread at random.
    public var streams = 10_000
    /// The duration of the measurement, in seconds.
    public var seconds = 3.0
    /// The number of events in the journal before the measurement.
    public var prefill = 0

    /// The number of events in one append while the journal is filled.
    private static let filling = 5_000
    /// The number of events that all writers generate in advance, and the minimum number of batches a writer, which it
    /// repeats.
    private static let eventsMade = 50_000
    private static let fewestBatches = 16

    /// Creates the workload with its default sizes.
    public init() {}

    /// Runs the workload, and returns the measured values.
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
        // Generated in advance, as the peers do, so that only the append is measured.
        let batches = (0..<writers)
            .map { writer in
                var events = PlainEvents(streams: streams, seed: UInt64(writer) + 1)
                return (0..<max(AppendWork.fewestBatches, AppendWork.eventsMade / (writers * batch)))
                    .map { _ in events.next(batch) }
            }
        let begin = ContinuousClock.now
        let end = begin + .seconds(seconds)
        let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
            for batches in batches { group.addTask { try await append(batches, to: log, until: end) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let taken = ContinuousClock.now - begin
        return WorkResult("append", events: Int(try log.head() - before), in: taken)
            .with("writers", writers).with("batch", batch).with("prefill", prefill)
            .with("p50_us", times.quantile(0.5).microseconds).with("p99_us", times.quantile(0.99).microseconds)
            .with("bytes", log.bytesInUse).with("commits", log.appendStatistics?.groups ?? 0)
    }

    /// Appends until the time is up, and returns the duration of each append.
    @concurrent
    private func append(
        _ batches: [[NewEvent]],
        to log: EventLog,
        until end: ContinuousClock.Instant
    ) async throws -> [Duration] {
        var times: [Duration] = []
        var now = ContinuousClock.now
        while now < end {
            try await log.append(batches[times.count % batches.count])
            let after = ContinuousClock.now
            times.append(after - now)
            now = after
        }
        return times
    }
}
