extension Instant: CustomStringConvertible {
    /// Parses an RFC 3339 time with any offset; digits beyond the microseconds are truncated.
    package init(parsing text: String) throws(ModelError) {
        let malformed = ModelError(
            .invalid,
            "not a time: write it as 2024-02-16T07:30:00Z or 2024-02-16T08:30:00+01:00"
        )
        var reader = DigitReader(text)
        guard let parsedDay = reader.day() else { throw malformed }
        let day = try parsedDay.get()
        guard reader.skip("T", "t", " "), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), reader.skip(":"), let second = reader.number(2)
        else { throw malformed }
        var fraction: Int64 = 0
        if reader.skip(".") {
            let digits = reader.digits()
            guard (1...9).contains(digits.count) else {
                throw ModelError(.invalid, "a time has one to nine digits after the decimal point of its seconds")
            }
            for digit in digits.prefix(6) { fraction = fraction * 10 + Int64(digit - UInt8(ascii: "0")) }
            for _ in min(6, digits.count)..<6 { fraction *= 10 }
        }
        guard let offset = Self.offset(&reader), reader.isAtEnd else {
            throw ModelError(.invalid, "not a time: it must end in Z or an offset such as +01:00")
        }
        if second == 60 {
            throw ModelError(.invalid, "leap seconds cannot be stored: write second 59 or the next minute")
        }
        guard hour <= 23, minute <= 59, second <= 59 else {
            throw ModelError(.invalid, "no such time of day")
        }
        let seconds = Int64(hour * 3_600 + minute * 60 + second - offset)
        // A four-digit year cannot overflow.
        self.init(microseconds: day.startInstant.microseconds + seconds * Self.microsecondsPerSecond + fraction)
    }

    /// The time in RFC 3339 in UTC, with no fraction, milliseconds or microseconds, whichever suffices.
    package var description: String {
        let time = microseconds.dividedRoundingDown(by: Self.microsecondsPerDay).remainder
        let (seconds, fraction) = time.quotientAndRemainder(dividingBy: Self.microsecondsPerSecond)
        let clock = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        let tail =
            if fraction == 0 {
                ""
            } else if fraction % 1_000 == 0 {
                "." + (fraction / 1_000).padded(to: 3)
            } else {
                "." + fraction.padded(to: 6)
            }
        return "\(Day(of: self))T\(clock)\(tail)Z"
    }

    /// Reads the offset, in seconds east of UTC.
    private static func offset(_ reader: inout DigitReader) -> Int? {
        if reader.skip("Z", "z") { return 0 }
        let sign = reader.next == UInt8(ascii: "-") ? -1 : 1
        guard reader.skip("+", "-"), let hours = reader.number(2), reader.skip(":"), let minutes = reader.number(2),
            hours <= 23, minutes <= 59
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
