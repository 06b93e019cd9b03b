package import FoundationEssentials

extension Instant {
    /// The time in a time zone, in RFC 3339 and to the second, such as `2026-03-01T08:00:00+01:00`.
    package func text(in zone: TimeZone) -> String {
        let seconds = microseconds.dividedRoundingDown(by: Instant.microsecondsPerSecond).quotient
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
        let local = Instant(microseconds: (seconds + Int64(offset)) * Instant.microsecondsPerSecond)
        guard offset != 0 else { return local.description }
        let minutes = abs(offset) / 60
        let clock = "\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
        return "\(local.description.dropLast())\(offset < 0 ? "-" : "+")\(clock)"
    }
}

extension OccurredDate {
    /// The date as it was given, or the time in a time zone.
    package func text(in zone: TimeZone) -> String {
        switch self {
        case .date(let date): date.description
        case .instant(let instant): instant.text(in: zone)
        }
    }
}

extension WallMoment {
    /// Parses a day with a time that a person typed, such as `2026-03-01T08:00` or `2026-03-01 08:00`; nil for other texts.
    package init?(typed text: String) {
        let text = WallTime.withTwoDigits(text)
        guard text.utf8.count == 16, let wall = try? WallMoment(parsing: text.replacing(" ", with: "T")),
            wall.time != nil
        else { return nil }
        self = wall
    }

    /// Returns the moment at which the clocks of a zone show it.
    ///
    /// Throws `invalid` if they skip it or show it twice, and names the times that are meant.
    package func instant(in zone: TimeZone) throws(ModelError) -> Instant {
        let found = day.instants(atSecond: Int64(time?.minutes ?? 0) * 60, in: zone)
        guard let first = found.first else {
            throw ModelError(
                .invalid,
                "\(self) does not exist in \(zone.identifier): the clocks are set forward over it"
            )
        }
        guard found.count == 1 else {
            let times = found.map { $0.text(in: zone) }.joined(separator: " or ")
            throw ModelError(.invalid, "\(self) happens twice in \(zone.identifier): write \(times)")
        }
        return first
    }
}

extension Instant {
    /// Parses a time that a person typed: in RFC 3339, or as the clocks of a zone show it, such as `2026-03-01T08:00`.
    package init(typed text: String, in zone: TimeZone) throws(ModelError) {
        if let wall = WallMoment(typed: text) {
            self = try wall.instant(in: zone)
        } else {
            try self.init(parsing: text)
        }
    }
}

extension OccurredDate {
    /// Parses what a person typed: a day, a month, a year or a time, which may be by the clocks of a zone.
    package init(typed text: String, in zone: TimeZone) throws(ModelError) {
        if let wall = WallMoment(typed: text) {
            self = .instant(try wall.instant(in: zone))
        } else {
            try self.init(parsing: text)
        }
    }
}

extension AsOf {
    /// Parses a moment that a person typed: a position such as `#42`, a time, or a date.
    ///
    /// A position may be written without its sign, unless it could be a year. Throws `invalid` for that, too.
    package init(typed text: String) throws(ModelError) {
        if text.utf8.count == 4, let year = Int(text), (1_900...2_199).contains(year) {
            throw ModelError(.invalid, "could be a position or a year: write #\(text), or a day such as \(text)-12-31")
        }
        if let wall = WallMoment(typed: text) {
            self = .minute(wall)
        } else {
            try self.init(parsing: text.hasPrefix("#") ? String(text.dropFirst()) : text)
        }
    }

    /// The moment with the whole second of a time without a fraction, because times are shown to the second: an event
    /// that is shown as recorded at a time was known at that time.
    package var throughItsSecond: AsOf {
        guard case .instant(let instant) = self, instant.microseconds % Instant.microsecondsPerSecond == 0 else {
            return self
        }
        return .instant(Instant(microseconds: instant.microseconds + Instant.microsecondsPerSecond - 1))
    }
}
