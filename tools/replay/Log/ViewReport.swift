/// The result of comparing the views with the log.
struct ViewReport {
    struct Mismatch {
        var position: UInt64
        var what: String
    }

    /// The maximum number of mismatches that a report lists; further ones are only counted.
    private static let named = 100

    var positions = 0
    var records = 0
    var entries = 0
    var grants = 0
    var totals = 0
    private(set) var mismatches: [Mismatch] = []
    private(set) var mismatchCount = 0

    var isSound: Bool { mismatchCount == 0 }

    mutating func report(_ what: String, at position: UInt64) {
        mismatchCount += 1
        if mismatches.count < ViewReport.named { mismatches.append(Mismatch(position: position, what: what)) }
    }
}
