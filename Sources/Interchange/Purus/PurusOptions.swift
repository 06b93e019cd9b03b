package import FoundationEssentials
package import HealthModel

/// Information that a Purus document does not contain.
package struct PurusOptions: Sendable {
    /// The epoch of the document's times.
    package enum Epoch: String, CaseIterable, Sendable {
        /// 1970, as in the CloudKit shape.
        case unix
        /// 2001, as in the models shape, which is encoded with a default `JSONEncoder`.
        case reference

        var other: Epoch { self == .unix ? .reference : .unix }
        var year: Int { self == .unix ? 1970 : 2001 }
    }

    package var epoch: Epoch
    /// The time zone in which a birthdate that is not midnight in UTC was entered as a day.
    package var zone: TimeZone
    package var now: Instant
    package var namespaces: PurusNamespaces

    package init(epoch: Epoch = .unix, zone: TimeZone, now: Instant, namespaces: PurusNamespaces) {
        self.epoch = epoch
        self.zone = zone
        self.now = now
        self.namespaces = namespaces
    }
}
