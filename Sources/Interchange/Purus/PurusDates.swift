import FoundationEssentials
import HealthModel

/// The times in a Purus document: seconds since an epoch that the document does not name.
struct PurusDates {
    let options: PurusOptions

    /// Reads a time; rejects one outside the range that a journal accepts, which mostly indicates the wrong epoch.
    func instant(_ json: JSONValue, at path: DocumentPath) throws(ModelError) -> Instant {
        guard case .number(let text) = json else {
            throw ModelError(.invalid, field: path.field, "must be a number of seconds, not \(json.typeName)")
        }
        let seconds = try FieldCodec.decimal(text, at: path)
        guard let instant = Self.instant(seconds, options.epoch), isInRange(instant) else {
            let helps = Self.instant(seconds, options.epoch.other).map(isInRange) ?? false
            let other = options.epoch.other
            throw ModelError(
                .invalid,
                field: path.field,
                """
                is before 1900 or more than \(Day.yearsAhead) years ahead, counted from \(options.epoch.year); \
                counted from \(other.year) (--epoch \(other.rawValue)) it is \(helps ? "not" : "too")
                """
            )
        }
        return instant
    }

    /// Converts a time to seconds since 1970, with all digits of the source if they can be represented.
    func normalised(_ json: JSONValue) -> JSONValue {
        guard options.epoch == .reference, case .number(let text) = json, let seconds = try? ExactDecimal(parsing: text)
        else { return json }
        let epoch = ExactDecimal(coefficient: Instant.referenceEpochSeconds, scale: 0)
        let sum = seconds.adding(epoch) ?? Self.instant(seconds, .reference)?.secondsSince1970
        return sum.map { .number($0.description) } ?? json
    }

    /// The day of a birthdate: the date in UTC if it is midnight in UTC, as for a date without a time, else the date in
    /// `options.zone`.
    func day(of birthdate: Instant) -> Day {
        guard !birthdate.isMidnightUTC else { return Day(of: birthdate) }
        let seconds = TimeInterval(birthdate.microseconds) / TimeInterval(Instant.microsecondsPerSecond)
        let offset = options.zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        return Day(of: Instant(microseconds: birthdate.microseconds + Int64(offset) * Instant.microsecondsPerSecond))
    }

    private func isInRange(_ instant: Instant) -> Bool {
        let day = Day(of: instant)
        return day >= Day.earliestEntered && day <= Day(of: options.now).adding(years: Day.yearsAhead)
    }

    static func instant(_ seconds: ExactDecimal, _ epoch: PurusOptions.Epoch) -> Instant? {
        switch epoch {
        case .unix: Instant(secondsSince1970: seconds)
        case .reference: Instant(secondsSinceReference: seconds)
        }
    }
}
