import FoundationEssentials
import HealthModel

/// A date parameter of a search, such as `ge2010-05` (https://hl7.org/fhir/R4/search.html#date).
///
/// Dates and times are compared as intervals, as long as their precision: a year, a month, a day, a minute, a second. So are
/// periods, one of whose ends may be open.
struct FHIRDateCondition: Sendable {
    private enum Comparison: String {
        case eq, ne, gt, lt, ge, le, sa, eb, ap
    }

    /// A half-open interval, in microseconds since 1970.
    struct Span: Sendable {
        var from: Int64
        var to: Int64
    }

    private let comparison: Comparison
    private let wanted: Span

    init(_ text: Substring, _ parameter: String) throws(FHIRSearch.Fault) {
        let prefix = Comparison(rawValue: String(text.prefix(2)))
        comparison = prefix ?? .eq
        guard let span = Self.span(of: String(text.dropFirst(prefix == nil ? 0 : 2))) else {
            throw FHIRSearch.Fault(parameter, "must be a date or a time, such as ge2010-05")
        }
        wanted = span
    }

    /// The conditions of a parameter, one of which must hold: `2010,2012`.
    static func any(_ text: String, _ parameter: String) throws(FHIRSearch.Fault) -> [FHIRDateCondition] {
        var conditions: [FHIRDateCondition] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            conditions.append(try FHIRDateCondition(part, parameter))
        }
        return conditions
    }

    /// Whether an interval matches; an unknown date never does.
    func matches(_ found: Span?) -> Bool {
        guard let found else { return false }
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

    func matches(_ instant: Instant) -> Bool { matches(Self.span(of: .instant(instant))) }

    // MARK: - Intervals

    /// When an entry happened: the period of its resource, or else its date, perhaps with the end of a summarised period.
    static func span(of content: EntryContent) -> Span? {
        if let kept = FHIRKept(content.extra), let period = period(of: kept.resource) { return period }
        guard var span = content.date.map({ span(of: $0) }) else { return nil }
        if content.kind == MeasuredValue.kind, let until = content.body.instant(MeasuredValue.until) {
            span.to = max(span.to, Self.span(of: .instant(until)).to)
        }
        return span
    }

    /// The period in which a resource says that it happened; nil if it states none.
    ///
    /// An end that it does not state is open.
    private static func period(of resource: JSONValue) -> Span? {
        let names = ["effectivePeriod", "performedPeriod", "occurrencePeriod", "onsetPeriod", "period"]
        return names.lazy.compactMap { resource[$0] }.first.flatMap(span(ofPeriod:))
    }

    private static func span(ofPeriod period: JSONValue) -> Span? {
        func end(_ name: String) -> Span? {
            if case .string(let text)? = period[name] { span(of: text) } else { nil }
        }
        let (start, end) = (end("start"), end("end"))
        if start == nil, end == nil { return nil }
        return Span(from: start?.from ?? .min, to: end?.to ?? .max)
    }

    /// The date or the period of an element of a resource, whose name is without its type; nil if it has none that can be read.
    static func span(of resource: JSONValue, _ element: String) -> Span? {
        for name in [element, element + "DateTime"] {
            if case .string(let text)? = resource[name] { return span(of: text) }
        }
        return resource[element + "Period"].flatMap(span(ofPeriod:))
    }

    /// Days are in UTC, as in the journal's index.
    static func span(of date: OccurredDate) -> Span {
        switch date {
        case .date(let date):
            return Span(from: start(of: date.firstDay), to: start(of: date.lastDay.adding(days: 1)))
        case .instant(let instant):
            let second = Instant.microsecondsPerSecond
            return Span(
                from: instant.microseconds,
                to: instant.microseconds + (instant.microseconds.isMultiple(of: second) ? second : 1)
            )
        }
    }

    /// Reads a date or a time with its precision; nil for other text.
    ///
    /// A time without an offset is in UTC.
    private static func span(of text: String) -> Span? {
        // A plus sign in an address means a space, which many clients forget.
        let text = text.replacing(" ", with: "+")
        guard let mark = text.firstIndex(of: "T") else {
            return (try? OccurredDate(parsing: text)).map { span(of: $0) }
        }
        let clock = text[text.index(after: mark)...].prefix { $0.isNumber || $0 == ":" || $0 == "." }
        let zone = text[clock.endIndex...]
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        let whole = text[...mark] + clock + (parts.count == 2 ? ":00" : "") + (zone.isEmpty ? "Z" : zone)
        guard case .instant(let instant)? = try? OccurredDate(parsing: String(whole)) else { return nil }
        var length = parts.count == 2 ? Instant.microsecondsPerMinute : Instant.microsecondsPerSecond
        if parts.count == 3, let point = parts[2].firstIndex(of: ".") {
            for _ in parts[2][parts[2].index(after: point)...].prefix(6) { length /= 10 }
        }
        return Span(from: instant.microseconds, to: instant.microseconds + length)
    }

    private static func start(of day: Day) -> Int64 { Int64(day.daysSince1970) * Instant.microsecondsPerDay }
}
