import EventLog

/// Creates a journal of health events, for the workloads that read.
public struct FillWork: Sendable {
    /// The number of events.
    public var events = 100_000
    /// The number of records over which the events are spread.
    public var records = 100

    private static let batch = 5_000

    /// Creates the workload with its default sizes.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) async throws -> WorkResult {
        let log = try folder.create()
        defer { log.close() }
        var source = HealthEvents(records: records)
        let begin = ContinuousClock.now
        var missing = events
        while missing > 0 {
            let count = min(missing, FillWork.batch)
            try await log.append(source.next(count))
            missing -= count
        }
        return WorkResult("fill", events: events, in: ContinuousClock.now - begin)
            .with("records", records).with("bytes", log.bytesInUse)
    }
}
