import HealthModel

/// A date parameter of a search, such as `ge2010-05` (https://hl7.org/fhir/R4/search.html#date).
///
/// A date without a time of day is compared as an interval: a day, a month or a year.
struct FHIRDateCondition: Sendable {
    private enum Comparison: String {
        case eq, ne, gt, lt, ge, le, sa, eb, ap
    }

    /// A half-open interval, in microseconds since 1970.
    private typealias Span = (from: Int64, to: Int64)

    private let comparison: Comparison
    private let value: OccurredDate

    init(_ text: String, _ parameter: String) throws(FHIRSearch.Fault) {
        let prefix = Comparison(rawValue: String(text.prefix(2)))
        comparison = prefix ?? .eq
        do {
            value = try OccurredDate(parsing: String(text.dropFirst(prefix == nil ? 0 : 2)))
        } catch {
            throw FHIRSearch.Fault(parameter, "must be a date or a time, such as ge2010-05")
        }
    }

    /// Whether a date matches; an unknown date never does.
    func matches(_ date: OccurredDate?) -> Bool {
        guard let date else { return false }
        let (found, wanted) = (Self.span(of: date), Self.span(of: value))
        let isWithin = found.from >= wanted.from && found.to <= wanted.to
        return switch comparison {
        case .eq: isWithin
        case .ne: !isWithin
        case .gt: found.to > wanted.to
        case .lt: found.from < wanted.from
        case .ge: found.to > wanted.to || isWithin
        case .le: found.from < wanted.from || isWithin
        case .sa: found.from >= wanted.to
        case .eb: found.to <= wanted.from
        case .ap: found.from < wanted.to && found.to > wanted.from
        }
    }

    func matches(_ instant: Instant) -> Bool { matches(.instant(instant)) }

    /// Days are in UTC, as in the journal's index.
    private static func span(of date: OccurredDate) -> Span {
        switch date {
        case .date(let date):
            (start(of: date.firstDay), start(of: date.lastDay.adding(days: 1)))
        case .instant(let instant): (instant.microseconds, instant.microseconds + 1)
        }
    }

    private static func start(of day: Day) -> Int64 { Int64(day.daysSince1970) * Instant.microsecondsPerDay }
}
