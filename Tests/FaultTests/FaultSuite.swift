import TestSupport
import Testing

/// All that goes wrong here is brought about one after the other: each test wants the processors for its children.
@Suite("Faults", .serialized)
struct FaultSuite {
    /// The shim and a sanitizer would stand before the same calls.
    static let canPreload = SanitizerSettings.variables.isEmpty
}

/// How often a test tries its fault and for how long, told as it goes when it takes long.
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

    /// Puts the row in the table; a fault that was not tried enough has shown nothing.
    func finish() {
        let seconds = (clock.now - start) / .seconds(1)
        FaultTable.append(row, seconds: seconds)
        print(
            "\(row.fault): \(row.tried) tried, \(row.refused) refused, \(row.survived) survived,",
            "\(row.acknowledged) acknowledged, \(row.lost) lost, \(row.torn) torn, \(row.lies) lies, \(Int(seconds)) s"
        )
        #expect(row.tried >= atLeast)
        #expect(row.lost == 0 && row.torn == 0 && row.lies == 0)
    }
}
