import TestSupport
import Testing

/// All fault tests run one after the other, because each needs the processors for its child processes.
@Suite("Faults", .serialized)
struct FaultSuite {
    /// Whether the shim can be preloaded: a sanitizer would intercept the same calls.
    static let canPreload = SanitizerSettings.variables.isEmpty
}

/// The results of a test that tries a fault many times, and its duration.
struct Tally {
    var row: FaultRow
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let atLeast: Int

    init(_ fault: String, atLeast: Int = 1) {
        row = FaultRow(fault)
        start = clock.now
        self.atLeast = atLeast
    }

    /// Adds the row to the fault table, prints it, and checks it.
    ///
    /// The fault must have been tried `atLeast` times: otherwise the test has shown nothing.
    func finish() {
        let seconds = (clock.now - start) / .seconds(1)
        FaultTable.append(row, seconds: seconds)
        print(
            "\(row.fault): \(row.tried) tried, \(row.refused) refused, \(row.survived) survived,",
            "\(row.acknowledged) acknowledged, \(row.lost) lost, \(row.torn) torn, \(row.lies) lies, \(Int(seconds)) s"
        )
        #expect(row.tried >= atLeast)
        #expect(row.lost == 0)
        #expect(row.torn == 0)
        #expect(row.lies == 0)
        #expect(row.complaints.isEmpty)
    }
}
