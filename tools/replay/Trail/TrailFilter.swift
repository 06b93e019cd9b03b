import EventLog
import Foundation
import HealthModel
import JournalEvents

/// The filter that selects the events of a trail.
///
/// It uses only headers, so that it works without any key.
struct TrailFilter {
    var record: UUID?
    var entry: UUID?
    var actor: UUID?
    var types: Set<UInt16>?
    var after: UInt64 = 0
    var through: UInt64

    func admits(_ frame: Frame) -> Bool {
        admits(frame.position, frame.type, frame.record ?? frame.subject, frame.entry, frame.actor)
    }

    func admits(_ event: StoredEvent) -> Bool {
        let header = event.header
        return admits(event.position, header.type, header.record ?? header.subject, header.entry, header.actor)
    }

    private func admits(_ position: UInt64, _ type: UInt16, _ about: UUID, _ entry: UUID, _ actor: UUID) -> Bool {
        position > after && position <= through
            && record.map { $0 == about } ?? true
            && self.entry.map { $0 == entry } ?? true
            && self.actor.map { $0 == actor } ?? true
            && types?.contains(type) ?? true
    }

    /// Returns the types of a name such as `entry.added`, or of a category such as `entry`.
    static func types(_ name: String) throws -> Set<UInt16> {
        let types = EventType.allCases.filter { $0.name == name || $0.category.name == name }
        guard !types.isEmpty else {
            let names = EventType.allCases.map(\.name).joined(separator: ", ")
            let categories = EventCategory.allCases.map(\.name).joined(separator: ", ")
            throw Failure(.usage, "there is no such type; the types are \(names); the categories are \(categories)")
        }
        return Set(types.map(\.rawValue))
    }
}
