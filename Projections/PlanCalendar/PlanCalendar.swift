package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The doses and the changes of stock of each plan, by the days on which they happened, as known at any position.
///
/// No row contains health data: each row only names the position of the event that holds the content.
package struct PlanCalendar: Projection {
    package static let name = "PlanCalendar"
    package static let version: UInt64 = 1
    package static let tables = ["days", "places"]

    enum Rows {
        /// Record, plan, kind, day, entry, position → position of the event that holds the content; 0 from when on the
        /// entry is no longer there.
        static let days = 0
        /// Record, entry → the plan and the days under which the entry is listed, and the position of its content.
        static let places = 1
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        guard let type = EventType(rawValue: type) else { return false }
        return type.entryEffect != nil || type == RecordErased.type
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        if frame.type == RecordErased.type.rawValue {
            for table in [Rows.days, Rows.places] {
                try transaction.deleteAll(startingWith: Key(frame.entry), in: tables[table])
            }
            return
        }
        guard PlanCalendar.kinds.contains(frame.kind), let effect = EventType(rawValue: frame.type)?.entryEffect else {
            return
        }
        let place = Key(frame.subject).appending(frame.entry)
        var before: PlanPlace?
        if let row = try transaction.reading.get(place, in: tables[Rows.places]) { before = PlanPlace(row) }
        switch effect {
        case .adds, .replaces:
            guard let after = try newPlace(frame, log) else { return }
            if let before { try list(before, at: 0, frame, tables, transaction) }
            try list(after, at: after.content, frame, tables, transaction)
            try transaction.put(place, after.row.raw, in: tables[Rows.places])
        case .retracts:
            if let before { try list(before, at: 0, frame, tables, transaction) }
        case .restores:
            if let before { try list(before, at: before.content, frame, tables, transaction) }
        case .annotates:
            break
        case .erases:
            try transaction.delete(place, in: tables[Rows.places])
            try unlist(frame.entry, of: frame.subject, tables, transaction)
        }
    }

    /// Deletes the rows of an entry under all plans and days under which it was ever listed.
    private func unlist(
        _ entry: UUID,
        of record: UUID,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        var rows: [Key] = []
        do {
            let cursor = try transaction.reading.cursor(in: tables[Rows.days])
            var row = try cursor.seek(Key(record))
            while let found = row, found.key.starts(with: Key(record)) {
                // Record, plan, kind and day precede the entry.
                if try found.key.id(at: 38) == entry {
                    var key = Key()
                    key.append(found.key.copy)
                    rows.append(key)
                }
                row = try cursor.next()
            }
        }
        for key in rows { try transaction.delete(key, in: tables[Rows.days]) }
    }

    /// The codes of the kinds whose entries refer to a plan.
    private static let kinds: Set<UInt16> = [Dose.kind.code, Supply.kind.code]

    /// Returns where an event's content places its entry; nil if the event cannot be read because it was erased.
    private func newPlace(_ frame: Frame, _ log: EventLog) throws -> PlanPlace? {
        do {
            let content = try log.recorded(frame).event.content
            return content.flatMap { PlanPlace($0, at: frame.position) }
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the caller waits or retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            return nil
        }
    }

    private func list(
        _ place: PlanPlace,
        at content: UInt64,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        var value = Key()
        value.append(littleEndian: content)
        for day in Set([place.firstDay, place.secondDay]) {
            let key = PlanCalendar.prefix(frame.subject, place.plan, frame.kind).appending(day: day)
                .appending(frame.entry).appending(frame.position)
            try transaction.put(key, value, in: tables[Rows.days])
        }
    }

    static func prefix(_ record: UUID, _ plan: UUID, _ kind: UInt16) -> Key {
        Key(record).appending(plan).appending(kind)
    }
}

/// Where an entry is listed: under its plan, and the day on which it happened and that for which it was planned.
struct PlanPlace: Hashable {
    var plan: UUID
    var firstDay: Day
    var secondDay: Day
    /// The position of the event that holds the content.
    var content: UInt64

    init?(_ content: EntryContent, at position: UInt64) {
        let field = content.kind == Dose.kind ? Dose.of : Supply.of
        guard let plan = content.body.id(field), let happened = content.date?.day else { return nil }
        self.plan = plan
        self.content = position
        firstDay = happened
        secondDay = content.kind == Dose.kind ? LoggedDose.plannedDay(content.body) ?? happened : happened
    }

    init?(_ bytes: RawSpan) {
        guard bytes.byteCount == 32 else { return nil }
        plan = bytes.uuid(at: 0)
        firstDay = Day(daysSince1970: bytes.integer(at: 16))
        secondDay = Day(daysSince1970: bytes.integer(at: 20))
        content = bytes.integer(at: 24)
    }

    /// The row of the view: 32 bytes, integers little-endian.
    var row: [UInt8] {
        var row = plan.bytes
        row.append(littleEndian: firstDay.daysSince1970)
        row.append(littleEndian: secondDay.daysSince1970)
        row.append(littleEndian: content)
        return row
    }
}

extension LoggedDose {
    /// The day for which a dose was planned: that of its slot or, for an interval, that of the moment, in UTC.
    static func plannedDay(_ body: FieldValues) -> Day? {
        if case .time(_, let day, _)? = body.text(Dose.slot).flatMap({ try? Slot(parsing: $0) }) { return day }
        return body.instant(Dose.planned).map { Day(of: $0) }
    }
}

extension Key {
    /// Appends a day so that the bytes of keys sort in the order of days, before 1970 as well.
    func appending(day: Day) -> Key {
        var copy = self
        let shifted = UInt32(bitPattern: day.daysSince1970) ^ 0x8000_0000
        copy.append(UInt16(truncatingIfNeeded: shifted >> 16))
        copy.append(UInt16(truncatingIfNeeded: shifted))
        return copy
    }
}
