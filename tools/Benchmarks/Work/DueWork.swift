import Foundation
import HealthModel

/// Computes the due doses of 50 plans in one year.
public struct DueWork: Sendable {
    private static let times = 20

    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values: the number of doses, and the median time of one computation.
    public func run() throws -> WorkResult {
        let plans = try CarePlans.all()
        let clocks = try CarePlans.clocks()
        let start = clocks.person.moment(of: WallMoment(day: try Day(parsing: CarePlans.first))).instant
        let end = clocks.person.moment(of: WallMoment(day: try Day(parsing: CarePlans.end))).instant
        var taken: [Duration] = []
        var (count, sum) = (0, Int64(0))
        for _ in 0..<DueWork.times {
            let begin = ContinuousClock.now
            var due: [Due] = []
            for plan in plans { due += try plan.due(from: start, until: end, clocks) }
            taken.append(ContinuousClock.now - begin)
            count = due.count
            // The peer must have computed the same moments.
            sum = due.reduce(0) { $0 + $1.due.microseconds / Instant.microsecondsPerSecond }
        }
        return WorkResult("due", events: count, in: taken.quantile(0.5)).with("sum", Int(sum))
    }
}
