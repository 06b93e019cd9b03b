package import FoundationEssentials

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
