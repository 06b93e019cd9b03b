package import FoundationEssentials

/// The point of the log at which a query is evaluated.
package enum AsOf: Hashable, Sendable {
    /// A global position.
    case position(UInt64)
    /// A recorded time, which is included.
    case instant(Instant)
    /// The end of a day in the journal's zone.
    case day(Day)
    /// The end of a minute by the clocks of the journal's zone.
    case minute(WallMoment)
}

extension AsOf: CustomStringConvertible {
    /// Parses a position, an RFC 3339 time, a time of the journal's zone such as `2026-03-01T08:00`, or a date.
    package init(parsing text: String) throws(ModelError) {
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            guard let position = UInt64(text) else {
                throw ModelError(.invalid, "the position is too high")
            }
            self = .position(position)
            return
        }
        if text.utf8.count == 16, let wall = try? WallMoment(parsing: text), wall.time != nil {
            self = .minute(wall)
            return
        }
        do {
            // A year or a month would not say which day is meant.
            self = text.utf8.count <= 10 ? .day(try Day(parsing: text)) : .instant(try Instant(parsing: text))
        } catch {
            throw ModelError(.invalid, "not a position (42), a time (2024-02-16T07:30:00Z) or a date: \(error.message)")
        }
    }

    package var description: String {
        switch self {
        case .position(let position): String(position)
        case .instant(let instant): instant.description
        case .day(let day): day.description
        case .minute(let wall): wall.description
        }
    }
}

extension AsOf {
    /// Returns the last recorded time that is included; nil for a position.
    package func upperBound(in zone: TimeZone) -> Instant? {
        switch self {
        case .position: nil
        case .instant(let instant): instant
        case .day(let day): day.lastInstant(in: zone)
        case .minute(let wall): wall.lastInstant(in: zone)
        }
    }
}

extension AsOf {
    /// Returns the last recorded time before the moment begins; nil for a position.
    package func timeBefore(in zone: TimeZone) -> Instant? {
        switch self {
        case .position: nil
        case .instant(let instant): Instant(microseconds: instant.microseconds.addingClamped(-1))
        case .day(let day): day.adding(days: -1).lastInstant(in: zone)
        case .minute(let wall): wall.instantBefore(in: zone)
        }
    }
}

extension WallMoment {
    /// Returns the last microsecond of the minute in a time zone: of the later one, if the clocks show it twice.
    ///
    /// A minute over which the clocks are set forward ends when they are.
    package func lastInstant(in zone: TimeZone) -> Instant {
        let last = day.instants(atSecond: second, in: zone).last
            .map { $0.microseconds + 60 * Instant.microsecondsPerSecond }
        return Instant(microseconds: (last ?? change(in: zone).microseconds) - 1)
    }

    /// Returns the last microsecond before the minute in a time zone: before the earlier one, if the clocks show it twice.
    fileprivate func instantBefore(in zone: TimeZone) -> Instant {
        let first = day.instants(atSecond: second, in: zone).first ?? change(in: zone)
        return Instant(microseconds: first.microseconds - 1)
    }

    private var second: Int64 { Int64(time?.minutes ?? 0) * 60 }

    /// Returns when the clocks are set forward over the minute.
    private func change(in zone: TimeZone) -> Instant {
        // No zone has ever been set forward by more than a day.
        let later = (1...1_440).lazy
            .compactMap { minutes in
                day.instants(atSecond: second + Int64(minutes) * 60, in: zone).first
            }
        return later.first ?? day.end(in: zone)
    }
}

extension Day {
    /// Returns the last microsecond of the day in a time zone.
    package func lastInstant(in zone: TimeZone) -> Instant {
        let midnight = startInstant.microseconds.addingClamped(Instant.microsecondsPerDay)
        let end = Self.end(ofDayBefore: midnight / Instant.microsecondsPerSecond, in: zone)
        return Instant(microseconds: end.multipliedClamped(by: Instant.microsecondsPerSecond).addingClamped(-1))
    }

    /// Creates the day on which an instant falls in a time zone.
    package init(of instant: Instant, in zone: TimeZone) {
        let seconds = instant.microseconds.dividedRoundingDown(by: Instant.microsecondsPerSecond).quotient
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
        self.init(of: Instant(microseconds: (seconds + Int64(offset)) * Instant.microsecondsPerSecond))
    }

    /// Returns the first moment after the day in a time zone.
    package func end(in zone: TimeZone) -> Instant {
        Instant(microseconds: lastInstant(in: zone).microseconds.addingClamped(1))
    }

    /// Returns when the day before `midnight` ends in a time zone, in seconds since 1970 in UTC.
    ///
    /// `midnight` is the local time in seconds since 1970, as if it were in UTC.
    private static func end(ofDayBefore midnight: Int64, in zone: TimeZone) -> Int64 {
        func offset(_ seconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds))))
        }
        // UTC offsets range from -12 to +14 hours, so any relevant change is within this window.
        var low = midnight - 26 * 3_600
        var high = midnight + 26 * 3_600
        let before = offset(low)
        let after = offset(high)
        if before == after { return midnight - before }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(middle) == before { low = middle } else { high = middle }
        }
        let change = high
        // If the clocks are set back over midnight, the day continues after the change. If they are set forward over
        // it, the day ends at the change.
        if midnight - after > change { return midnight - after }
        return min(midnight - before, change)
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? ((self < 0) == (factor < 0) ? .max : .min) : product
    }
}
