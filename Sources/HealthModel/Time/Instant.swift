/// A point in time, in whole microseconds since 1970 in UTC.
package struct Instant: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }
}

extension Instant {
    package static let microsecondsPerSecond: Int64 = 1_000_000
    package static let microsecondsPerDay: Int64 = 86_400_000_000
    /// 2001-01-01T00:00:00Z, from which Apple's default JSON encoder counts.
    package static let referenceEpochSeconds: Int64 = 978_307_200

    /// Creates an instant from seconds since 1970, truncated to microseconds; nil if it is out of range.
    package init?(secondsSince1970 seconds: ExactDecimal) {
        guard let microseconds = seconds.truncated(toScale: 6) else { return nil }
        self.init(microseconds: microseconds)
    }

    /// Creates an instant from seconds since 2001, truncated to microseconds; nil if it is out of range.
    package init?(secondsSinceReference seconds: ExactDecimal) {
        guard let since2001 = Instant(secondsSince1970: seconds) else { return nil }
        let epoch = Self.referenceEpochSeconds * Self.microsecondsPerSecond
        let (sum, overflow) = since2001.microseconds.addingReportingOverflow(epoch)
        guard !overflow else { return nil }
        self.init(microseconds: sum)
    }

    /// Seconds since 1970, without trailing zeros.
    package var secondsSince1970: ExactDecimal {
        ExactDecimal(coefficient: microseconds, scale: 6).withoutTrailingZeros
    }

    /// Seconds since 2001, without trailing zeros.
    package var secondsSinceReference: ExactDecimal {
        let epoch = Self.referenceEpochSeconds * Self.microsecondsPerSecond
        let (difference, overflow) = microseconds.subtractingReportingOverflow(epoch)
        return ExactDecimal(coefficient: overflow ? .min : difference, scale: 6).withoutTrailingZeros
    }

    /// Whether the instant is midnight UTC, which is how some sources store a date without a time.
    package var isMidnightUTC: Bool { microseconds % Self.microsecondsPerDay == 0 }
}
