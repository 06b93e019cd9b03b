import EventLog

/// Reads the header of every event, and decrypts none.
public struct ScanWork: Sendable {
    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) throws -> WorkResult {
        let log = try folder.open()
        defer { log.close() }
        let head = try log.head()
        var sum: UInt64 = 0
        let taken = try ContinuousClock()
            .measure {
                try log.forEachFrame(through: head) { frame in
                    sum &+= frame.streamPosition &+ UInt64(frame.kind)
                    return true
                }
            }
        return WorkResult("scan", events: Int(head), in: taken).with("sum", Int(truncatingIfNeeded: sum & 0xFFFF_FFFF))
    }
}

/// Opens a cleanly closed journal repeatedly.
public struct OpenWork: Sendable {
    private static let times = 21

    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) throws -> WorkResult {
        var head = 0
        var times: [Duration] = []
        for _ in 0..<OpenWork.times {
            let begin = ContinuousClock.now
            let log = try folder.open()
            head = Int(try log.head())
            times.append(ContinuousClock.now - begin)
            log.close()
        }
        return WorkResult("open", events: head, in: times.quantile(0.5))
    }
}

/// Verifies the whole log.
public struct VerifyWork: Sendable {
    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) throws -> WorkResult {
        let log = try folder.open()
        defer { log.close() }
        var verification = Verification()
        let taken = try ContinuousClock().measure { verification = try log.verify() }
        guard verification.isSound, verification.sealsOpened == verification.head else { throw WorkError.wrongAnswer }
        return WorkResult("verify", events: Int(verification.head), in: taken).with("bytes", log.bytesInUse)
    }
}

/// The reason why the result of a workload is invalid.
public enum WorkError: Error {
    /// The workload was completed with a wrong result.
    case wrongAnswer
}
