package import FoundationEssentials

/// A time of day on a clock, such as 08:00, without a date or a zone.
package struct WallTime: Hashable, Comparable, Sendable {
    /// Minutes since midnight, in 0..<1440.
    package let minutes: Int

    /// Nil outside a day.
    package init?(minutes: Int) {
        guard (0..<1_440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    package static func < (left: WallTime, right: WallTime) -> Bool { left.minutes < right.minutes }
}

extension WallTime: CustomStringConvertible {
    /// Parses `HH:MM` in 24 hours.
    package init(parsing text: String) throws(ModelError) {
        let digits = Array(text.utf8)
        guard digits.count == 5, digits[2] == UInt8(ascii: ":"), let hour = Int(text.prefix(2)),
            let minute = Int(text.suffix(2)), digits[0].isDigit, digits[3].isDigit, hour < 24, minute < 60,
            let time = WallTime(minutes: hour * 60 + minute)
        else { throw ModelError(.invalid, "not a time of day: write it as 08:30") }
        self = time
    }

    /// Parses a time of day that a person typed, whose hour may have one digit: `8:30` is `08:30`.
    package init(typed text: String) throws(ModelError) {
        try self.init(parsing: Self.withTwoDigits(text))
    }

    /// Writes the hours of all times of day in a text with two digits: `mon 8:00-12:00` as `mon 08:00-12:00`.
    package static func withTwoDigits(_ text: String) -> String {
        var result = ""
        var digits = 0
        for character in text {
            if character == ":", digits == 1, let hour = result.popLast() { result += "0\(hour)" }
            digits = character.isASCII && character.isNumber ? digits + 1 : character == ":" ? 2 : 0
            result.append(character)
        }
        return result
    }

    package var description: String { "\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))" }
}

/// A day, or a time of a day, in local time without a zone.
package struct WallMoment: Hashable, Comparable, Sendable {
    package var day: Day
    /// Nil for the start of the day.
    package var time: WallTime?

    package init(day: Day, time: WallTime? = nil) {
        self.day = day
        self.time = time
    }

    package static func < (left: WallMoment, right: WallMoment) -> Bool {
        (left.day, left.time?.minutes ?? 0) < (right.day, right.time?.minutes ?? 0)
    }
}

extension WallMoment: CustomStringConvertible {
    /// Parses `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`.
    package init(parsing text: String) throws(ModelError) {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        day = try Day(parsing: String(parts[0]))
        time = parts.count > 1 ? try WallTime(parsing: String(parts[1])) : nil
    }

    package var description: String { time.map { "\(day)T\($0)" } ?? day.description }
}

extension Day {
    /// Returns the moments at which the clocks of a zone show a time of this day, in ascending order.
    ///
    /// The time is given in seconds after midnight. There is usually one such moment. There is none if the clocks are
    /// set forward over the time, and there are two if they are set back over it.
    package func instants(atSecond second: Int64, in zone: TimeZone) -> [Instant] {
        let wall = startInstant.microseconds / Instant.microsecondsPerSecond + second
        func offset(_ seconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
        }
        // UTC offsets range from -12 to +14 hours, so these two times are before and after any relevant change.
        let offsets: Set<Int64> = [offset(wall - 26 * 3_600), offset(wall + 26 * 3_600)]
        return offsets.map { wall - $0 }.filter { $0 + offset($0) == wall }.sorted()
            .map { Instant(microseconds: $0 * Instant.microsecondsPerSecond) }
    }
}
