package import EventLog
package import FoundationEssentials
internal import JournalEvents
internal import LMDB
package import ProjectionKit
package import HealthModel

/// Queries of the findings of a record, as known at any position.
package struct InteractionsView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = Interactions()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// The state of an entry of the kind `interaction`.
    package struct Item: Hashable, Sendable {
        package let entry: UUID
        package let state: State
        /// The position of the last event that settled it; nil if it was never settled.
        package let lastResolved: UInt64?
        /// Nil while the entry is retracted.
        package let content: EntryContent?
        /// The event that holds the content; nil while the entry is retracted.
        package let stamp: Stamp?
    }

    package enum State: Hashable, Sendable {
        case open
        /// Settled at a position.
        case resolved(UInt64)
        /// The entry is retracted.
        case gone
    }

    /// Returns the findings and answers of a record, in the order of their ids.
    package func items(of record: UUID, asOf position: UInt64) throws -> [Item] {
        try views.query(projection) { tables, transaction in
            let table = tables[Interactions.Rows.findings]
            return try log.withSnapshot { snapshot in
                var items: [Item] = []
                let cursor = try transaction.cursor(in: table)
                var row = try cursor.seek(Key(record))
                while let current = row, current.key.starts(with: Key(record)) {
                    guard current.key.byteCount == 40 else { throw EventLogError.damagedRow }
                    let entry = try current.key.id(at: 16)
                    let prefix = Key(record).appending(entry)
                    let newest = try TemporalIndex.newest(prefix, asOf: position, in: table, transaction) { _, value in
                        try FindingRow(value)
                    }
                    if let newest {
                        let event = newest.content == 0 ? nil : try log.recorded(snapshot.frame(at: newest.content))
                        items.append(
                            Item(
                                entry: entry,
                                state: newest.content == 0
                                    ? .gone : newest.resolved == 0 ? .open : .resolved(newest.resolved),
                                lastResolved: newest.lastResolved == 0 ? nil : newest.lastResolved,
                                content: event?.event.content,
                                stamp: event?.stamp
                            )
                        )
                    }
                    row = try cursor.seek(prefix.appending(UInt64.max))
                }
                return items
            }
        }
    }

    /// Reports whether the view has any row of a record, as it must not have after the record's erasure.
    package func hasRows(of record: UUID) throws -> Bool {
        try views.query(projection) { tables, transaction in
            for table in [Interactions.Rows.findings, Interactions.Rows.latest] {
                let cursor = try transaction.cursor(in: tables[table])
                if let row = try cursor.seek(Key(record)), row.key.starts(with: Key(record)) { return true }
            }
            return false
        }
    }
}
