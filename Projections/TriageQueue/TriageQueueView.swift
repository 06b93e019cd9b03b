package import EventLog
package import FoundationEssentials
package import HealthModel
internal import LMDB
package import ProjectionKit

/// Queries of the triages of a practice on some days, and of a patient, as known at any position.
package struct TriageQueueView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = TriageQueue()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// Returns the triages of patients who arrived at a practice on some UTC days, whatever their state.
    package func triages(of practice: UUID, days: ClosedRange<Day>, asOf position: UInt64) throws -> [UUID] {
        let keys = try days.all.map { try TriageQueue.dayKey($0, of: practice, log) }
        var found: [UUID] = []
        for key in keys { found += try listed(Key(key), TriageQueue.Rows.days, asOf: position) }
        return found
    }

    /// Returns the triages of a patient at all practices, whatever their state.
    package func triages(of record: UUID, asOf position: UInt64) throws -> [UUID] {
        try listed(Key(record), TriageQueue.Rows.records, asOf: position)
    }

    /// Reports whether the view has any row of a record, as it must not have after the record's erasure.
    package func hasRows(of record: UUID) throws -> Bool { try !triages(of: record, asOf: .max).isEmpty }

    private func listed(_ prefix: Key, _ table: Int, asOf position: UInt64) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            var found: [UUID] = []
            let cursor = try transaction.cursor(in: tables[table])
            var row = try cursor.seek(prefix)
            while let current = row, current.key.starts(with: prefix) {
                if try current.value.position(at: 0) <= position { found.append(try current.key.id(at: 16)) }
                row = try cursor.next()
            }
            return found
        }
    }
}
