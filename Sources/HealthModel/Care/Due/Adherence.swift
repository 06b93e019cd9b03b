/// How many of the planned doses were taken.
package struct Adherence: Hashable, Sendable {
    /// Settled doses, by state.
    package var taken = 0
    package var partly = 0
    /// Without those that were skipped because a professional advised it.
    package var skipped = 0
    package var missed = 0
    /// How many of the doses that were taken were taken on time.
    package var onTime = 0

    /// Planned doses that do not count, by state.
    package var paused = 0
    package var beforeKept = 0
    package var decide = 0
    package var advised = 0
    package var open = 0
    package var later = 0
    /// Doses that were taken although none was planned: when needed, or outside the plan.
    package var asNeeded = 0
    package var unplanned = 0

    package init() {}

    /// The number of planned doses that count.
    package var settled: Int { taken + partly + skipped + missed }

    /// The number of planned doses that do not count.
    package var leftOut: Int { paused + beforeKept + decide + advised + open + later }

    /// The share of doses that were taken, in percent, rounded down; nil if none was due.
    package var percentage: Int? { settled == 0 ? nil : taken * 100 / settled }

    package mutating func add(_ status: SlotStatus) {
        switch status.state {
        case .taken: taken += 1
        case .partly: partly += 1
        case .skipped where status.dose?.reason == .advised: advised += 1
        case .skipped: skipped += 1
        case .missed: missed += 1
        case .paused: paused += 1
        case .beforeKept: beforeKept += 1
        case .decide: decide += 1
        case .open, .overdue: open += 1
        case .later: later += 1
        }
        if status.isOnTime { onTime += 1 }
    }

    package static func + (left: Adherence, right: Adherence) -> Adherence {
        var sum = left
        for member in members { sum[keyPath: member] += right[keyPath: member] }
        return sum
    }

    private static let members: [any WritableKeyPath<Adherence, Int> & Sendable] = [
        \.taken, \.partly, \.skipped, \.missed, \.onTime, \.paused, \.beforeKept, \.decide, \.advised, \.open, \.later,
        \.asNeeded, \.unplanned,
    ]
}

extension SlotStatus {
    /// Whether the dose was taken at most an hour from its time, or a quarter of the time between doses if that is less.
    package var isOnTime: Bool {
        guard let dose, dose.status == .taken else { return false }
        let limit = min(60, (due.spacing ?? .max) / 4)
        return (dose.at.microseconds - due.due.microseconds).magnitude <= UInt64(limit) * 60_000_000
    }
}

extension Day {
    /// The Monday of the day's week, by ISO 8601.
    package var monday: Day { adding(days: 1 - weekday.rawValue) }

    /// The year and the number of the day's week, by ISO 8601, such as `2026-W01`.
    package var week: String {
        // The week belongs to the year of its Thursday.
        let thursday = monday.adding(days: 3)
        let first = Day(year: thursday.year, month: 1, day: 1) ?? thursday
        let number = Int(thursday.daysSince1970 - first.daysSince1970) / 7 + 1
        return "\(thursday.year)-W\(number.padded(to: 2))"
    }
}
