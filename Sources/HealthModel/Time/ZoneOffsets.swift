/// The offsets of one time zone from UTC, over the years for which dates are accepted.
package struct ZoneOffsets: Hashable, Sendable {
    /// The offset before the first change, in seconds east of UTC.
    package var initial: Int
    /// The changes, in ascending order.
    package var changes: [Change]

    package struct Change: Hashable, Sendable {
        /// In seconds since 1970 in UTC.
        package var at: Int64
        /// The offset from then on, in seconds east of UTC.
        package var offset: Int

        package init(at: Int64, offset: Int) {
            self.at = at
            self.offset = offset
        }
    }

    package init(initial: Int, changes: [Change] = []) {
        self.initial = initial
        self.changes = changes
    }

    package static let utc = ZoneOffsets(initial: 0)
}

/// Offsets of time zones, by IANA name: a part of a table of the time zones of the world.
package struct ZoneTable: Hashable, Sendable {
    /// The version of the table, such as `2025b`.
    package var version: String
    package var zones: [String: ZoneOffsets]

    package init(version: String, zones: [String: ZoneOffsets]) {
        self.version = version
        self.zones = zones
    }
}

/// In which time zone a person was: the zone before any change, and the changes.
package struct ZoneHistory: Hashable, Sendable {
    /// The IANA name of the zone before the first change.
    package var home: String
    /// In ascending order of time.
    package var changes: [Change]

    package struct Change: Hashable, Sendable {
        package var from: Instant
        /// An IANA name.
        package var zone: String

        package init(from: Instant, zone: String) {
            self.from = from
            self.zone = zone
        }
    }

    package init(home: String, changes: [Change] = []) {
        self.home = home
        self.changes = changes
    }

    /// Returns the IANA name of the zone at an instant.
    package func zone(at instant: Instant) -> String { changes.last { $0.from <= instant }?.zone ?? home }
}
