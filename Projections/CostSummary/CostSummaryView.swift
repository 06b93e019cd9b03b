package import EventLog
package import FoundationEssentials
internal import HealthModel
internal import LMDB
package import ProjectionKit

/// Queries of the totals of a record's costs, at present and as known at any past position.
package struct CostSummaryView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = CostSummary()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// Returns the totals of a record's costs, sorted by year, currency, basis and category.
    ///
    /// Buckets without entries are left out.
    package func totals(of record: UUID, asOf position: UInt64) throws -> [CostTotal] {
        let found: [CostTotal] = try views.query(projection) { tables, transaction in
            let table = tables[CostSummary.Rows.totals]
            var totals: [CostTotal] = []
            let cursor = try transaction.cursor(in: table)
            var row = try cursor.seek(Key(record))
            while let current = row, current.key.starts(with: Key(record)) {
                let name = try current.key.id(at: 16)
                let prefix = Key(record).appending(name)
                let total = try TemporalIndex.newest(prefix, asOf: position, in: table, transaction) { at, value in
                    try CostSummary.open(value.copy, record: record, name: [UInt8](name), at: at, log)
                }
                if let total, total.count > 0 { totals.append(total) }
                row = try cursor.seek(prefix.appending(UInt64.max))
            }
            return totals
        }
        return found.sorted { $0.bucket.order < $1.bucket.order }
    }
}

extension CostBucket {
    fileprivate var order: (Int64, String, String, String) { (year, currency ?? "", basis, category ?? "") }
}
