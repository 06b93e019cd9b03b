// The time zones are in Foundation, not in FoundationEssentials.
internal import Foundation
package import HealthModel
internal import Platform

/// The time zones of the world, as this program knows them.
package enum SystemZones {
    /// The version of the IANA database, such as `2025b`.
    package static var version: String { TimeZone.timeZoneDataVersion }

    /// The years for which changes are computed.
    private static let years = 1_900...2_200

    private static let known = Guarded<[String: ZoneOffsets]>([:])

    /// Returns the offsets of some zones; throws an error if one does not exist.
    package static func table(of names: Set<String>) throws(ModelError) -> ZoneTable {
        var zones: [String: ZoneOffsets] = [:]
        for name in names { zones[name] = try offsets(of: name) }
        return ZoneTable(version: version, zones: zones)
    }

    /// Throws an error that names the field if a zone does not exist.
    package static func requireZone(_ name: String, field: String) throws(ModelError) {
        guard TimeZone(identifier: name) == nil else { return }
        throw ModelError(
            .invalid,
            field: field,
            "there is no such time zone: write its IANA name, such as Europe/Berlin"
        )
    }

    private static func offsets(of name: String) throws(ModelError) -> ZoneOffsets {
        if let offsets = known.withLock({ $0[name] }) { return offsets }
        guard let zone = TimeZone(identifier: name) else {
            throw ModelError(.invalid, field: "zone", "this program's table of time zones does not contain this zone")
        }
        let offsets = ZoneOffsets(zone, years)
        known.withLock { $0[name] = offsets }
        return offsets
    }
}

extension ZoneOffsets {
    fileprivate init(_ zone: TimeZone, _ years: ClosedRange<Int>) {
        let start = Day(year: years.lowerBound, month: 1, day: 1)?.startInstant.secondsSince1970 ?? 0
        let end = Day(year: years.upperBound, month: 12, day: 31)?.startInstant.secondsSince1970 ?? 0
        var time = Date(timeIntervalSince1970: Double(start))
        self.init(initial: zone.secondsFromGMT(for: time))
        var offset = initial
        while let next = zone.nextDaylightSavingTimeTransition(after: time), next > time,
            next.timeIntervalSince1970 < Double(end)
        {
            let after = zone.secondsFromGMT(for: next)
            // The rules of a zone may change without its offset.
            if after != offset { changes.append(Change(at: Int64(next.timeIntervalSince1970), offset: after)) }
            (offset, time) = (after, next)
        }
    }
}

extension Instant {
    fileprivate var secondsSince1970: Int64 { microseconds / Instant.microsecondsPerSecond }
}
