package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import LMDB
package import ProjectionKit

/// Queries of the doses and the stock of plans, as known at any position.
package struct PlanCalendarView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = PlanCalendar()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// An entry of a plan that is not retracted.
    package struct Item: Hashable, Sendable {
        package let entry: UUID
        package let content: EntryContent
        /// The position of the event that holds the content.
        package let position: UInt64
    }

    /// Returns the entries of one kind that happened or were planned within some days, for each of the plans.
    ///
    /// The days are those in UTC. Entries come in the order of their days.
    package func items(
        of kind: Kind,
        plans: some Collection<UUID>,
        in record: UUID,
        days: ClosedRange<Day>,
        asOf position: UInt64
    ) throws -> [UUID: [Item]] {
        try views.query(projection) { tables, transaction in
            let table = tables[PlanCalendar.Rows.days]
            return try log.withSnapshot { snapshot in
                var found: [UUID: [Item]] = [:]
                for plan in plans {
                    let prefix = PlanCalendar.prefix(record, plan, kind.code)
                    let listed = try listed(prefix, days, asOf: position, in: table, transaction)
                    if listed.isEmpty { continue }
                    found[plan] = try listed.map { item in
                        guard let content = try log.recorded(snapshot.frame(at: item.content)).event.content else {
                            throw EventLogError.damagedRow
                        }
                        return Item(entry: item.entry, content: content, position: item.content)
                    }
                }
                return found
            }
        }
    }

    /// Reports whether the view has any row of a record, as it must not have after the record's erasure.
    package func hasRows(of record: UUID) throws -> Bool {
        try views.query(projection) { tables, transaction in
            for table in [PlanCalendar.Rows.days, PlanCalendar.Rows.places] {
                let cursor = try transaction.cursor(in: tables[table])
                if let row = try cursor.seek(Key(record)), row.key.starts(with: Key(record)) { return true }
            }
            return false
        }
    }

    /// Returns the entries that were listed under some days, each once, and the positions of their contents.
    private func listed(
        _ prefix: Key,
        _ days: ClosedRange<Day>,
        asOf position: UInt64,
        in table: Table,
        _ transaction: borrowing ReadTransaction
    ) throws -> [(entry: UUID, content: UInt64)] {
        // The rows of an entry on a day are in the order of their positions: the last one that was known counts.
        var newest: [(day: Day, entry: UUID, content: UInt64)] = []
        let cursor = try transaction.cursor(in: table)
        var row = try cursor.seek(prefix.appending(day: days.lowerBound))
        while let current = row, current.key.starts(with: prefix) {
            guard current.key.byteCount == prefix.count + 28, current.value.byteCount == 8 else {
                throw EventLogError.damagedRow
            }
            let day = Day(ofKey: current.key, at: prefix.count)
            if day > days.upperBound { break }
            if current.key.bigEndian(at: prefix.count + 20, as: UInt64.self) <= position {
                let entry = try current.key.id(at: prefix.count + 4)
                if let last = newest.last, last.day == day, last.entry == entry { newest.removeLast() }
                newest.append((day, entry, current.value.integer(at: 0)))
            }
            row = try cursor.next()
        }
        var seen: Set<UUID> = []
        return newest.filter { $0.content > 0 && seen.insert($0.entry).inserted }.map { ($0.entry, $0.content) }
    }
}

extension Day {
    fileprivate init(ofKey key: RawSpan, at offset: Int) {
        let shifted: UInt32 = key.bigEndian(at: offset)
        self.init(daysSince1970: Int32(bitPattern: shifted ^ 0x8000_0000))
    }
}
