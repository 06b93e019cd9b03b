package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// Costs by record, year, currency, category and basis, as known at any position.
///
/// Sums are health data, so each row is sealed under the subject's key, and the row's key does not reveal its bucket. A
/// row holds the running total as of its position.
package struct CostSummary: Projection {
    package static let name = "CostSummary"
    package static let version: UInt64 = 3
    package static let tables = ["totals", "contributions"]

    enum Rows {
        /// Record, opaque id of the bucket, position → sealed ``CostTotal``.
        static let totals = 0
        /// Record, entry → sealed total of this entry alone, by which its bucket is updated when the entry changes.
        static let contributions = 1
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        guard let type = EventType(rawValue: type) else { return false }
        return type.category == .entry || type == RecordErased.type
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        if frame.type == RecordErased.type.rawValue {
            let record = Key(frame.entry)
            try transaction.deleteAll(startingWith: record, in: tables[Rows.totals])
            return try transaction.deleteAll(startingWith: record, in: tables[Rows.contributions])
        }
        guard frame.kind == Cost.kind.code else { return }
        if EventType(rawValue: frame.type)?.entryEffect == .erases {
            return try addAgain(frame, tables, transaction, log)
        }
        try add(frame, tables, transaction, log)
    }

    /// Adds up the costs of a record again, without an entry that was erased: past sums would reveal its amount.
    private func addAgain(
        _ erasure: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        let record = erasure.subject
        try transaction.deleteAll(startingWith: Key(record), in: tables[Rows.totals])
        try transaction.deleteAll(startingWith: Key(record), in: tables[Rows.contributions])
        try log.forEachFrame(through: erasure.position - 1) { frame in
            let isCost = frame.subject == record && frame.kind == Cost.kind.code
            if isCost, let effect = EventType(rawValue: frame.type)?.entryEffect, effect != .erases {
                try add(frame, tables, transaction, log)
            }
            return true
        }
    }

    private func add(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        do {
            let change = CostChange(tables: tables, log: log, record: frame.subject, position: frame.position)
            try change.apply(log.recorded(frame).event, entry: frame.entry, transaction)
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the error is rethrown, and the caller waits or
            // retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            // Erased costs cannot be read, so they are not added.
        }
    }
}

/// The changes to the tables that one event makes.
private struct CostChange {
    let tables: ViewTables
    let log: EventLog
    let record: UUID
    let position: UInt64

    func apply(_ event: JournalEvent, entry: UUID, _ transaction: borrowing WriteTransaction) throws {
        let before = try contribution(of: entry, transaction.reading)
        if let content = event.content {
            if let before { try add(before, times: -1, transaction) }
            guard let bucket = CostBucket(content), let amount = content.body.decimal(Cost.amount) else {
                // An entry without an amount counts for nothing, and its old amount must not be subtracted a second
                // time.
                try transaction.delete(place(of: entry), in: tables[CostSummary.Rows.contributions])
                return
            }
            let after = CostTotal(bucket: bucket, sum: ExactSum(amount), count: 1)
            try add(after, times: 1, transaction)
            try keep(after, for: entry, transaction)
        } else if let before, event.type == EntryRetracted.type {
            try add(before, times: -1, transaction)
        } else if let before, event.type == EntryRestored.type {
            try add(before, times: 1, transaction)
        }
    }

    private func add(_ contribution: CostTotal, times sign: Int, _ transaction: borrowing WriteTransaction) throws {
        let name = try log.opaqueID(of: contribution.bucket.text, subject: record)
        let prefix = Key(record).appending(name)
        let table = tables[CostSummary.Rows.totals]
        let before = try TemporalIndex.newest(prefix, asOf: position, in: table, transaction.reading) { at, value in
            try CostSummary.open(value.copy, record: record, name: [UInt8](name), at: at, log)
        }
        var total = before ?? CostTotal(bucket: contribution.bucket, sum: ExactSum(), count: 0)
        total.sum = total.sum + (sign < 0 ? contribution.sum.negated : contribution.sum)
        total.count += sign
        let sealed = try CostSummary.seal(total, record: record, name: [UInt8](name), at: position, log)
        try transaction.put(prefix.appending(position), sealed.raw, in: table)
    }

    private func place(of entry: UUID) -> Key { Key(record).appending(entry) }

    private func contribution(of entry: UUID, _ transaction: borrowing ReadTransaction) throws -> CostTotal? {
        guard let sealed = try transaction.get(place(of: entry), in: tables[CostSummary.Rows.contributions]) else {
            return nil
        }
        return try CostSummary.open(sealed.copy, record: record, name: [UInt8](entry), at: 0, log)
    }

    private func keep(_ total: CostTotal, for entry: UUID, _ transaction: borrowing WriteTransaction) throws {
        let sealed = try CostSummary.seal(total, record: record, name: [UInt8](entry), at: 0, log)
        try transaction.put(place(of: entry), sealed.raw, in: tables[CostSummary.Rows.contributions])
    }
}

extension CostSummary {
    static func seal(
        _ total: CostTotal,
        record: UUID,
        name: [UInt8],
        at position: UInt64,
        _ log: EventLog
    ) throws(EventLogError) -> [UInt8] {
        try log.sealRow(CostRow.bytes(of: total), subject: record, context: context(name, position))
    }

    static func open(
        _ sealed: [UInt8],
        record: UUID,
        name: [UInt8],
        at position: UInt64,
        _ log: EventLog
    ) throws(EventLogError) -> CostTotal {
        try CostRow.total(from: log.openRow(sealed, subject: record, context: context(name, position)))
    }

    private static func context(_ name: [UInt8], _ position: UInt64) -> [UInt8] {
        var context = Array("CostSummary".utf8) + name
        context.append(littleEndian: position)
        return context
    }
}

extension CostBucket {
    /// The bucket as one string, from which its opaque id is derived.
    fileprivate var text: String {
        [String(year), currency ?? "", category ?? "", basis].joined(separator: "\u{1F}")
    }
}
