import FoundationEssentials
import HealthModel

/// The times of a Purus document: seconds since an epoch, which the document does not name.
struct PurusDates {
    let options: PurusOptions

    /// Reads a time, and refuses one that no journal holds, which mostly means the other epoch.
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
                lies before 1900 or more than \(Day.yearsAhead) years ahead, counted from \(options.epoch.year); \
                counted from \(other.year) (--epoch \(other.rawValue)) it \(helps ? "does not" : "does so too")
                """
            )
        }
        return instant
    }

    /// The same time in seconds since 1970, with all the digits that the source gave it, if so many can be held.
    func normalised(_ json: JSONValue) -> JSONValue {
        guard options.epoch == .reference, case .number(let text) = json, let seconds = try? ExactDecimal(parsing: text)
        else { return json }
        let epoch = ExactDecimal(coefficient: Instant.referenceEpochSeconds, scale: 0)
        let sum = seconds.adding(epoch) ?? Self.instant(seconds, .reference)?.secondsSince1970
        return sum.map { .number($0.description) } ?? json
    }

    /// The day of a birthdate: its date in UTC if it is midnight there, as a date that was stored as one is.
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
