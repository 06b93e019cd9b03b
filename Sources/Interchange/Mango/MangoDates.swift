import FoundationEssentials
import HealthModel

/// The times of a document: ISO 8601, seconds since 2001, or an object of seconds since 1970 and nanoseconds.
struct MangoDates {
    /// The zone by whose clocks times of day are read.
    let zone: TimeZone

    /// Parses a time in any of the three forms.
    static func instant(_ json: JSONValue, at path: DocumentPath) throws(ModelError) -> Instant {
        let instant: Instant?
        switch json {
        case .string(let text):
            do { instant = try Instant(parsing: text) } catch { throw error.at(path) }
        case .number(let text):
            // The form of Swift's JSONEncoder.
            instant = Instant(secondsSinceReference: try FieldCodec.decimal(text, at: path))
        case .object:
            guard case .number(let seconds)? = json["seconds"] ?? json["_seconds"] else {
                throw ModelError(.invalid, field: path.field, "must have seconds and nanoseconds")
            }
            let whole = try FieldCodec.integer(seconds, at: path)
            var nanoseconds: Int64 = 0
            if case .number(let text)? = json["nanoseconds"] ?? json["_nanoseconds"] {
                nanoseconds = try FieldCodec.integer(text, at: path)
            }
            let start = Instant(secondsSince1970: ExactDecimal(coefficient: whole, scale: 0))
            instant =
                (0..<1_000_000_000).contains(nanoseconds)
                ? start.map { Instant(microseconds: $0.microseconds + nanoseconds / 1_000) } : nil
        default:
            throw ModelError(.invalid, field: path.field, "must be a time, not \(json.typeName)")
        }
        guard let instant else { throw ModelError(.invalid, field: path.field, "is not a time") }
        return instant
    }

    /// The day and the time of day that the clocks of the zone show, without the seconds.
    func wall(_ instant: Instant) -> WallMoment {
        let seconds = TimeInterval(instant.microseconds) / TimeInterval(Instant.microsecondsPerSecond)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        let local = Instant(microseconds: instant.microseconds + Int64(offset) * Instant.microsecondsPerSecond)
        let day = Day(of: local)
        let minutes = (local.microseconds - day.startInstant.microseconds) / (60 * Instant.microsecondsPerSecond)
        return WallMoment(day: day, time: WallTime(minutes: Int(minutes)))
    }

    /// The first instant at which the clocks of the zone show a moment; the one in UTC if they skip it.
    func instant(_ moment: WallMoment) -> Instant {
        let minutes = Int64(moment.time?.minutes ?? 0)
        return moment.day.instants(atSecond: minutes * 60, in: zone).first
            ?? Instant(
                microseconds: moment.day.startInstant.microseconds + minutes * 60 * Instant.microsecondsPerSecond
            )
    }
}
