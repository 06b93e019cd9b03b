/// The conversions of payloads from older schema versions to the current one.
///
/// Stored events never change; old payloads are converted when they are read. A lift is a pure function from the
/// payload of one schema version to that of the next, so an old payload passes through every later version.
package struct Upcasters: Sendable {
    package typealias Lift = @Sendable ([UInt8]) throws(ModelError) -> [UInt8]

    /// A schema version that is no longer written.
    package struct Source: Hashable, Sendable {
        package let type: EventType
        package let version: UInt16

        package init(_ type: EventType, version: UInt16) {
            self.type = type
            self.version = version
        }
    }

    private let lifts: [Source: Lift]

    package init(_ lifts: [Source: Lift]) {
        self.lifts = lifts
    }

    /// The lifts of this program: none, because the current schema version of every type is its first.
    package static let current = Upcasters([:])

    /// Converts a payload to the current schema version of its type.
    func lift(_ payload: [UInt8], of type: EventType, from version: UInt16) throws(ModelError) -> [UInt8] {
        if version > type.schemaVersion {
            throw ModelError(
                .invalid,
                field: "schemaVersion",
                """
                \(type.name) of version \(version) was written by a newer program; this one reads up to version \
                \(type.schemaVersion)
                """
            )
        }
        var lifted = payload
        for version in version..<type.schemaVersion {
            guard let lift = lifts[Source(type, version: version)] else {
                throw ModelError(
                    .invalid,
                    field: "schemaVersion",
                    "\(type.name) never had a version \(version)"
                )
            }
            lifted = try lift(lifted)
        }
        return lifted
    }
}
