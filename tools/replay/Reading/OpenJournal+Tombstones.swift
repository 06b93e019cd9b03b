import EventLog
import Foundation
import HealthModel
import JournalEvents

/// That a record was erased, as the log says it.
struct ErasedRecord {
    let record: UUID
    /// When and by whom; its position is where the log says so.
    let stamp: Stamp
    /// Nil without the master key.
    let reason: String?

    /// As `record 0198…: erased on 2026-11-21 (position 812): asked for by herself`.
    func sentence(in zone: TimeZone) -> String {
        let day = Day(of: stamp.recordedAt, in: zone)
        let why = reason.map { $0.isEmpty ? "" : ": \($0)" } ?? ""
        return "record \(record.text): erased on \(day) (position \(stamp.position))\(why)"
    }
}

extension OpenJournal {
    /// The erasure of a record, wherever in the log it stands; nil if there is none.
    ///
    /// Looked for in the headers, so that the views can be contradicted.
    func erasure(of record: UUID) throws -> ErasedRecord? {
        var found: StoredEvent?
        try log.forEachFrame(through: log.head()) { frame in
            if frame.type == EventType.recordErased.rawValue, frame.entry == record { found = frame.copy }
            return found == nil
        }
        guard let found else { return nil }
        var reason: String?
        if case .read(let recorded) = log.content(of: found) { reason = recorded.reason }
        return ErasedRecord(record: record, stamp: try stamp(at: found.position), reason: reason)
    }

    /// Throws what a person is told of an erased record: at whichever moment they ask about, there is nothing left.
    func requireUnerased(_ record: UUID) throws {
        if let erased = try erasure(of: record) { throw Failure(.notFound, erased.sentence(in: log.zone)) }
    }
}
