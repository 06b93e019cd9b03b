/// The time at which something happened in the world, as precisely as the source states it.
package enum OccurredDate: Hashable, Sendable {
    case day(Day)
    case instant(Instant)

    /// The day in UTC, which is used to index entries and to filter by `happenedBy`.
    package var day: Day {
        switch self {
        case .day(let day): day
        case .instant(let instant): Day(of: instant)
        }
    }
}

extension OccurredDate: CustomStringConvertible {
    /// Parses a day or an RFC 3339 time.
    package init(parsing text: String) throws(ModelError) {
        // A day has ten characters, and no time is as short.
        if text.utf8.count <= 10 {
            self = .day(try Day(parsing: text))
        } else {
            self = .instant(try Instant(parsing: text))
        }
    }

    package var description: String {
        switch self {
        case .day(let day): day.description
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
