package import FoundationEssentials
package import HealthModel

/// What a Purus document does not say of itself.
package struct PurusOptions: Sendable {
    /// From when the document counts its seconds.
    package enum Epoch: String, CaseIterable, Sendable {
        /// 1970, as the CloudKit shape does.
        case unix
        /// 2001, as the models shape does, encoded with a default JSONEncoder.
        case reference

        var other: Epoch { self == .unix ? .reference : .unix }
        var year: Int { self == .unix ? 1970 : 2001 }
    }

    package var epoch: Epoch
    /// Where a birthdate that is no midnight in UTC was a day.
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
