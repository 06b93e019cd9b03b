internal import Foundation

/// The effects of a fault on a journal, counted over all tries.
package struct FaultRow: Sendable {
    package let fault: String
    /// How often the fault was tried.
    package var tried = 0
    /// Tries that were refused or reported by a clear error, or found by `verify`.
    package var refused = 0
    /// Tries after which the journal worked without an error.
    package var survived = 0
    /// Acknowledged events that were checked afterwards.
    package var acknowledged = 0
    /// Acknowledged events that were missing, or not where or what was acknowledged.
    package var lost = 0
    /// Appends and erasures that were stored in part, and faults that `verify` found.
    package var torn = 0
    /// Any other wrong content that was read without an error.
    package var lies = 0
    /// What was wrong, in words; empty if nothing was.
    package var complaints: [String] = []

    package init(_ fault: String) {
        self.fault = fault
    }

    package mutating func add(_ other: FaultRow) {
        tried += other.tried
        refused += other.refused
        survived += other.survived
        acknowledged += other.acknowledged
        lost += other.lost
        torn += other.torn
        lies += other.lies
        complaints += other.complaints
    }
}

/// The rows of a run, gathered from all its tests in the file that HEALTHJOURNAL_FAULT_TABLE names, for `tools/faults`.
package enum FaultTable {
    package static func append(_ row: FaultRow, seconds: Double? = nil) {
        let numbers = [row.tried, row.refused, row.survived, row.acknowledged, row.lost, row.torn, row.lies]
        let time = seconds.map { String(format: "%.1f", $0) } ?? ""
        let line = ([row.fault] + numbers.map(String.init) + [time]).joined(separator: "\t") + "\n"
        guard let path = ProcessInfo.processInfo.environment["HEALTHJOURNAL_FAULT_TABLE"] else { return }
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        guard let file = FileHandle(forUpdatingAtPath: path) else { return }
        _ = try? file.seekToEnd()
        try? file.write(contentsOf: Data(line.utf8))
        try? file.close()
    }
}

/// The number of tries of the fault tests: few among the other tests, many for `tools/faults`.
package enum FaultScale {
    package static let isLong: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return environment["HEALTHJOURNAL_FAULTS"] == "long" || environment["HEALTHJOURNAL_LONG"] == "1"
    }()

    package static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }
}
