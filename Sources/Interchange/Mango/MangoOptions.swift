package import FoundationEssentials
package import HealthModel

/// Information that a document of Mango Health does not contain.
package struct MangoOptions: Sendable {
    package var now: Instant
    /// The zone of a user whose preferences name none.
    package var zone: TimeZone
    /// Returns the time zone of an IANA name; nil if there is none.
    package var zoneNamed: @Sendable (String) -> TimeZone?
    /// The namespaces of the ids of records and entries whose ids are not UUIDs.
    package var namespaces: PurusNamespaces

    package init(
        now: Instant,
        zone: TimeZone,
        zoneNamed: @escaping @Sendable (String) -> TimeZone?,
        namespaces: PurusNamespaces
    ) {
        self.now = now
        self.zone = zone
        self.zoneNamed = zoneNamed
        self.namespaces = namespaces
    }
}
