package import FoundationEssentials
package import HealthModel
internal import Platform

/// The ids of the streams of practices, each derived from a name and a key.
///
/// A booking needs many of them, and deriving one costs about as much as reading the diary that it leads to.
package final class StreamIDCache: Sendable {
    /// What a stream is about; the key of its subject is never destroyed.
    package enum Name: Hashable {
        case members(practice: UUID)
        case registration(record: UUID, practice: UUID)
        case diary(resource: UUID, day: Day)
    }

    private static let maximum = 16_384
    private let ids = Guarded<[Name: UUID]>([:])

    /// Returns the id of a stream; derives it if it is not known.
    package func id<Failure: Error>(of name: Name, _ derive: () throws(Failure) -> UUID) throws(Failure) -> UUID {
        if let known = ids.withLock({ $0[name] }) { return known }
        let id = try derive()
        ids.withLock { ids in
            if ids.count >= Self.maximum { ids.removeAll(keepingCapacity: true) }
            ids[name] = id
        }
        return id
    }
}
