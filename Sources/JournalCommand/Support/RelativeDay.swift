import FoundationEssentials
import HealthModel

/// A day that is typed by its distance from the current one, in English.
enum RelativeDay: String, CaseIterable {
    case yesterday, today, tomorrow

    init?(typed text: String) { self.init(rawValue: text.lowercased()) }

    /// The day by the clock of a time zone.
    func day(in zone: TimeZone) -> Day { day(today: .current(in: zone)) }

    func day(today: Day) -> Day {
        switch self {
        case .yesterday: today.adding(days: -1)
        case .today: today
        case .tomorrow: today.adding(days: 1)
        }
    }
}

extension Day {
    /// The current day in a time zone, by the clock of this machine.
    static func current(in zone: TimeZone = .current) -> Day {
        Day(of: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)), in: zone)
    }
}
