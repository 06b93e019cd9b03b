/// A date of the proleptic Gregorian calendar, with no time of day and no zone.
package struct Day: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01, as in a frame's header.
    package var daysSince1970: Int32

    package init(daysSince1970: Int32) {
        self.daysSince1970 = daysSince1970
    }

    package static func < (left: Day, right: Day) -> Bool {
        left.daysSince1970 < right.daysSince1970
    }
}

extension Day {
    /// Creates a day of the calendar; nil if the calendar has no such day or the year is not in 0...9999.
    package init?(year: Int, month: Int, day: Int) {
        guard (0...9_999).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        daysSince1970 = Int32(Self.days(year: year, month: month, day: day))
    }

    /// Creates the day in UTC on which an instant falls.
    package init(of instant: Instant) {
        let days = instant.microseconds.dividedRoundingDown(by: Instant.microsecondsPerDay).quotient
        daysSince1970 = Int32(clamping: days)
    }

    /// Midnight UTC at the start of the day.
    package var startInstant: Instant {
        let (product, overflow) = Int64(daysSince1970).multipliedReportingOverflow(by: Instant.microsecondsPerDay)
        guard overflow else { return Instant(microseconds: product) }
        return Instant(microseconds: daysSince1970 < 0 ? .min : .max)
    }

    package var year: Int { civil.year }
    package var month: Int { civil.month }
    package var day: Int { civil.day }

    /// Returns the day that is so many days later, or earlier for a negative number.
    package func adding(days: Int) -> Day { Day(daysSince1970: Int32(clamping: Int(daysSince1970) + days)) }

    /// Returns the same day of a later month, or the last day of a month that has no such day.
    package func adding(months: Int) -> Day {
        let date = civil
        let count = date.year * 12 + date.month - 1 + months
        let (year, month) = (count / 12, count % 12 + 1)
        for day in stride(from: date.day, to: 27, by: -1) {
            if let found = Day(year: year, month: month, day: day) { return found }
        }
        return Day(year: year, month: month, day: date.day) ?? self
    }

    /// Returns the same day of another year; 29 February becomes 28 February in a common year.
    package func adding(years: Int) -> Day {
        let civil = civil
        let year = civil.year + years
        let day = min(civil.day, Self.length(ofMonth: civil.month, year: year))
        return Day(daysSince1970: Int32(clamping: Self.days(year: year, month: civil.month, day: day)))
    }

    /// The year, month and day of the calendar.
    ///
    /// The computation uses eras of 400 years from 0000-03-01, in which a leap day is the last day of its year.
    package var civil: (year: Int, month: Int, day: Int) {
        let shifted = Int(daysSince1970) + Self.daysToEpoch
        let (era, dayOfEra) = shifted.dividedRoundingDown(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static let daysToEpoch = 719_468

    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.dividedRoundingDown(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - daysToEpoch
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension FixedWidthInteger {
    /// Divides by a positive number with a remainder that is never negative, as dates before the epoch need it.
    func dividedRoundingDown(by divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
