/// A date as precisely as it is known: a day, a month or a year.
package enum PartialDate: Hashable, Sendable {
    case day(Day)
    case month(year: Int, month: Int)
    case year(Int)

    /// Creates a month, counted in months since January of the year 0; nil after the year 9999.
    init?(monthsSinceYear0 months: UInt32) {
        guard months < 120_000 else { return nil }
        self = .month(year: Int(months / 12), month: Int(months % 12) + 1)
    }

    /// Creates a year; nil after 9999.
    init?(year: UInt32) {
        guard year <= 9_999 else { return nil }
        self = .year(Int(year))
    }

    package var firstDay: Day {
        switch self {
        case .day(let day): day
        case .month(let year, let month): Day(year: year, month: month, day: 1) ?? Day(daysSince1970: 0)
        case .year(let year): Day(year: year, month: 1, day: 1) ?? Day(daysSince1970: 0)
        }
    }

    package var lastDay: Day {
        switch self {
        case .day(let day): day
        case .month: firstDay.adding(months: 1).adding(days: -1)
        case .year: firstDay.adding(years: 1).adding(days: -1)
        }
    }
}

extension PartialDate: CustomStringConvertible {
    /// Parses `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
    package init(parsing text: String) throws(ModelError) {
        switch text.utf8.count {
        case 4:
            guard let first = try? Day(parsing: text + "-01-01") else {
                throw ModelError(.invalid, "not a year: write it as 2024")
            }
            self = .year(first.year)
        case 7:
            guard let first = try? Day(parsing: text + "-01") else {
                throw ModelError(.invalid, "not a month: write it as 2024-02")
            }
            self = .month(year: first.year, month: first.month)
        case 10:
            self = .day(try Day(parsing: text))
        default:
            throw ModelError(.invalid, "not a date: write it as 2024-02-16, 2024-02 or 2024")
        }
    }

    package var description: String {
        switch self {
        case .day(let day): day.description
        case .month(let year, let month): "\(year.padded(to: 4))-\(month.padded(to: 2))"
        case .year(let year): year.padded(to: 4)
        }
    }
}
