package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import LMDB
package import ProjectionKit

/// Queries of the appointments of a practice on some days, and of a patient, as known at any position.
package struct AppointmentCalendarView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = AppointmentCalendar()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// Returns the appointments of a practice that touch some UTC days, each once, whatever their state.
    package func appointments(
        of practice: UUID,
        days: ClosedRange<Day>,
        asOf position: UInt64
    ) throws -> [UUID] {
        let keys = try days.all.map { try AppointmentCalendar.dayKey($0, of: practice, log) }
        return try views.query(projection) { tables, transaction in
            var seen: Set<UUID> = []
            var found: [UUID] = []
            for key in keys {
                let table = tables[AppointmentCalendar.Rows.days]
                for (appointment, value) in try newest(Key(key), asOf: position, in: table, transaction)
                where value == 1 && seen.insert(appointment).inserted {
                    found.append(appointment)
                }
            }
            return found
        }
    }

    /// Returns the appointments of a patient at all practices, whatever their state.
    package func appointments(of record: UUID, asOf position: UInt64) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            let table = tables[AppointmentCalendar.Rows.records]
            return try newest(Key(record), asOf: position, in: table, transaction).map(\.appointment)
        }
    }

    /// Reports whether the view has any row of a record, as it must not have after the record's erasure.
    package func hasRows(of record: UUID) throws -> Bool {
        try views.query(projection) { tables, transaction in
            let cursor = try transaction.cursor(in: tables[AppointmentCalendar.Rows.records])
            guard let row = try cursor.seek(Key(record)) else { return false }
            return row.key.starts(with: Key(record))
        }
    }

    /// Returns each appointment under a prefix, with the first byte of its newest row at or before a position.
    private func newest(
        _ prefix: Key,
        asOf position: UInt64,
        in table: Table,
        _ transaction: borrowing ReadTransaction
    ) throws -> [(appointment: UUID, value: UInt8)] {
        var found: [(appointment: UUID, value: UInt8)] = []
        let cursor = try transaction.cursor(in: table)
        var row = try cursor.seek(prefix)
        while let current = row, current.key.starts(with: prefix) {
            guard current.key.byteCount == prefix.count + 24 else { throw EventLogError.damagedRow }
            if current.key.bigEndian(at: prefix.count + 16, as: UInt64.self) <= position {
                let appointment = try current.key.id(at: prefix.count)
                if found.last?.appointment == appointment { found.removeLast() }
                found.append((appointment, current.value.byteCount > 0 ? current.value.integer(at: 0) : 0))
            }
            row = try cursor.next()
        }
        return found
    }
}
