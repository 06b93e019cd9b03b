import EventLog
import Foundation
import HealthModel
import JournalEvents

/// The erasure of a record, as the log records it.
struct ErasedRecord {
    let record: UUID
    /// When, by whom and at which position the record was erased.
    let stamp: Stamp
    /// Nil without the master key.
    let reason: String?

    /// A sentence such as `record 0198…: erased on 2026-11-21 (position 812): asked for by herself`.
    func sentence(in zone: TimeZone) -> String {
        let day = Day(of: stamp.recordedAt, in: zone)
        let why = reason.map { $0.isEmpty ? "" : ": \($0)" } ?? ""
        return "record \(record.text): erased on \(day) (position \(stamp.position))\(why)"
    }
}

extension OpenJournal {
    /// Returns the erasure of a record, anywhere in the log; nil if there is none.
    ///
    /// Searches the headers and not a view, so that the views can be contradicted.
    func erasure(of record: UUID) throws -> ErasedRecord? {
        var found: StoredEvent?
        try log.forEachFrame(through: log.head()) { frame in
            if frame.type == RecordErased.type.rawValue, frame.entry == record { found = frame.copy }
            return found == nil
        }
        guard let found else { return nil }
        var reason: String?
        if case .read(let recorded) = log.content(of: found) { reason = recorded.reason }
        return ErasedRecord(record: record, stamp: try stamp(at: found.position), reason: reason)
    }

    /// Throws if a record was erased, because it is then unreadable at every moment.
    func requireUnerased(_ record: UUID) throws {
        if let erased = try erasure(of: record) { throw Failure(.notFound, erased.sentence(in: log.zone)) }
    }
}
