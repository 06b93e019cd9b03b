package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The triages of each practice by the UTC day on which the patient arrived, and those of each record.
///
/// It only lists them: what a triage is, is folded from its own stream, which is short.
package struct TriageQueue: Projection {
    package static let name = "TriageQueue"
    package static let version: UInt64 = 1
    package static let tables = ["days", "records"]

    enum Rows {
        /// Day of a practice (``dayKey``), triage → position at which it was begun.
        static let days = 0
        /// Record, triage → position at which it was begun, day of the practice.
        static let records = 1
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        type == TriageBegun.type.rawValue || type == RecordErased.type.rawValue
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        if frame.type == RecordErased.type.rawValue { return try erase(frame.entry, tables, transaction) }
        let begun: TriageBegun
        do {
            guard let data = try log.recorded(frame).event.data as? TriageBegun else { return }
            begun = data
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the caller waits or retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            return
        }
        let day = try TriageQueue.dayKey(Day(of: begun.arrivedAt), of: begun.practice, log)
        var position: [UInt8] = []
        position.append(littleEndian: frame.position)
        try transaction.put(Key(day).appending(frame.entry), position.raw, in: tables[Rows.days])
        let row = position + day.bytes
        try transaction.put(Key(frame.subject).appending(frame.entry), row.raw, in: tables[Rows.records])
    }

    /// Derives the id under which a day of a practice is found.
    static func dayKey(_ day: Day, of practice: UUID, _ log: EventLog) throws -> UUID {
        try log.opaqueID(of: "triage:\(day.daysSince1970)", subject: practice)
    }

    /// Deletes all rows of an erased record, so that a view that is built afterwards has the same ones.
    private func erase(_ record: UUID, _ tables: ViewTables, _ transaction: borrowing WriteTransaction) throws {
        var listed: [(triage: UUID, day: UUID)] = []
        try transaction.deleteAll(startingWith: Key(record), in: tables[Rows.records]) { key, row in
            listed.append((try key.id(at: 16), try row.id(at: 8)))
        }
        for (triage, day) in listed {
            try transaction.deleteAll(startingWith: Key(day).appending(triage), in: tables[Rows.days])
        }
    }
}
