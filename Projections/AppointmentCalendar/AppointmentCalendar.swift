package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The appointments of each practice by UTC day, and those of each patient, as known at any position.
///
/// No row names a practice: its days are found by an id that is derived with the practice's key. What an appointment
/// contains is read from its events, so that a list costs as much as it has appointments.
package struct AppointmentCalendar: Projection {
    package static let name = "AppointmentCalendar"
    package static let version: UInt64 = 1
    package static let tables = ["days", "records"]

    enum Rows {
        /// Day of a practice (``dayKey``), appointment, position → 1; 0 from when on it is on another day.
        static let days = 0
        /// Record, appointment, position → the days of a practice on which the appointment is from then on, 16 bytes
        /// each.
        static let records = 1
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        guard let type = EventType(rawValue: type) else { return false }
        return switch type {
        case AppointmentHeld.type, AppointmentBooked.type, AppointmentRescheduled.type, AppointmentDisplaced.type,
            RecordErased.type:
            true
        default: false
        }
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        if frame.type == RecordErased.type.rawValue { return try erase(frame.entry, tables, transaction) }
        guard let details = try details(frame, log) else { return }
        let place = Key(frame.subject).appending(frame.entry)
        let before = try TemporalIndex.newest(
            place,
            asOf: frame.position,
            in: tables[Rows.records],
            transaction.reading
        ) { _, row in ListedDays(row) }
        let days = try details.days.map { try AppointmentCalendar.dayKey($0, of: details.practice, log) }
        let after = ListedDays(days)
        guard after != before else { return }
        for day in before?.keys ?? [] where !days.contains(day) { try list(0, day, frame, tables, transaction) }
        for day in days where before?.keys.contains(day) != true { try list(1, day, frame, tables, transaction) }
        let row = after.row
        try transaction.put(place.appending(frame.position), row.raw, in: tables[Rows.records])
    }

    /// Derives the id under which a day of a practice is found.
    static func dayKey(_ day: Day, of practice: UUID, _ log: EventLog) throws -> UUID {
        try log.opaqueID(of: "appointments:\(day.daysSince1970)", subject: practice)
    }

    /// Returns what an event says about an appointment; nil if it cannot be read because it was erased.
    private func details(_ frame: Frame, _ log: EventLog) throws -> AppointmentDetails? {
        do {
            switch try log.recorded(frame).event.data {
            case let held as AppointmentHeld: return held.details
            case let booked as AppointmentBooked: return booked.details
            case let moved as AppointmentRescheduled: return moved.details
            case let displaced as AppointmentDisplaced: return displaced.details
            default: return nil
            }
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the caller waits or retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            return nil
        }
    }

    private func list(
        _ value: UInt8,
        _ day: UUID,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let key = Key(day).appending(frame.entry).appending(frame.position)
        let row = [value]
        try transaction.put(key, row.raw, in: tables[Rows.days])
    }

    /// Deletes all rows of an erased record, so that a view that is built afterwards has the same ones.
    private func erase(_ record: UUID, _ tables: ViewTables, _ transaction: borrowing WriteTransaction) throws {
        var listed: [UUID: Set<UUID>] = [:]
        try transaction.deleteAll(startingWith: Key(record), in: tables[Rows.records]) { key, row in
            listed[try key.id(at: 16), default: []].formUnion(ListedDays(row).keys)
        }
        for (appointment, days) in listed {
            for day in days {
                try transaction.deleteAll(startingWith: Key(day).appending(appointment), in: tables[Rows.days])
            }
        }
    }
}

extension AppointmentDetails {
    /// The UTC days that the appointment touches.
    fileprivate var days: [Day] { span?.days.all ?? [] }
}

/// The days of a practice on which an appointment is.
private struct ListedDays: Hashable {
    let keys: [UUID]

    init(_ keys: [UUID]) {
        self.keys = keys
    }

    init(_ row: RawSpan) {
        var keys: [UUID] = []
        var offset = 0
        while offset + 16 <= row.byteCount {
            keys.append(row.uuid(at: offset))
            offset += 16
        }
        self.keys = keys
    }

    /// The row of the view: 16 bytes for each day.
    var row: [UInt8] { keys.flatMap(\.bytes) }
}
