/// The time at which something happened in the world, as precisely as the source states it.
package enum OccurredDate: Hashable, Sendable {
    /// A day, a month or a year.
    case date(PartialDate)
    case instant(Instant)

    package static func day(_ day: Day) -> OccurredDate { .date(.day(day)) }

    /// The day in UTC, or the first day of a month or a year; entries are indexed and filtered by it (`happenedBy`).
    package var day: Day {
        switch self {
        case .date(let date): date.firstDay
        case .instant(let instant): Day(of: instant)
        }
    }
}

extension OccurredDate: CustomStringConvertible {
    /// Parses a day, a month, a year or an RFC 3339 time.
    package init(parsing text: String) throws(ModelError) {
        // A day has ten characters, and no time is as short.
        if text.utf8.count <= 10 {
            self = .date(try PartialDate(parsing: text))
        } else {
            self = .instant(try Instant(parsing: text))
        }
    }

    package var description: String {
        switch self {
        case .date(let date): date.description
        case .instant(let instant): instant.description
        }
    }
}

extension OccurredDate {
    /// Throws for a date that is implausible for a living subject; its usual cause is a wrong epoch.
    package func check(field: String, now: Instant) throws(ModelError) {
        try day.check(field: field, now: now)
    }
}

extension Day {
    package static let earliestEntered = Day(daysSince1970: -25_567)
    package static let yearsAhead = 50

    /// Throws for a day before 1900 or more than 50 years ahead.
    package func check(field: String, now: Instant) throws(ModelError) {
        if self < Self.earliestEntered {
            throw ModelError(.invalid, field: field, "a date before 1900-01-01 is not accepted")
        }
        if self > Day(of: now).adding(years: Self.yearsAhead) {
            throw ModelError(.invalid, field: field, "a date more than \(Self.yearsAhead) years ahead is not accepted")
        }
    }
}
