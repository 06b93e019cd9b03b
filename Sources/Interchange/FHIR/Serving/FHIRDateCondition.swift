import HealthModel

/// A condition on a date, such as `ge2010-05`: both the value and the date stand for the time between two moments
/// (https://hl7.org/fhir/R4/search.html#date).
struct FHIRDateCondition: Sendable {
    private enum Comparison: String {
        case eq, ne, gt, lt, ge, le, sa, eb, ap
    }

    /// Two moments, in microseconds since 1970; the second one is not included.
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

    /// Whether a date matches; one that is unknown never does.
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

    /// The days of a date are those of UTC, as everywhere in the journal's index.
    private static func span(of date: OccurredDate) -> Span {
        switch date {
        case .date(let date):
            (start(of: date.firstDay), start(of: date.lastDay.adding(days: 1)))
        case .instant(let instant): (instant.microseconds, instant.microseconds + 1)
        }
    }

    private static func start(of day: Day) -> Int64 { Int64(day.daysSince1970) * 86_400_000_000 }
}
