package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The access of each account to each record at any position, as references to the events that define it.
package struct CaregiverPermissions: Projection {
    package static let name = "CaregiverPermissions"
    package static let version: UInt64 = 4
    package static let tables = ["byRecord", "byAccount", "accounts", "emergencies"]

    enum Rows {
        /// Record, account, position → ``PermissionRow``.
        static let byRecord = 0
        /// Account, record, position → the same row.
        static let byAccount = 1
        /// Position of the account's addition → account.
        static let accounts = 2
        /// Record, position of an event that opened its emergency view → position of the event that acknowledged it.
        ///
        /// Until it is acknowledged, the value is the position of the event itself.
        static let emergencies = 3
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        // Most events are those of entries.
        guard let type = EventType(rawValue: type), type.category != .entry else { return false }
        return switch type {
        case RecordCreated.type, RecordErased.type, RecordOwnerAdded.type, RecordOwnerRemoved.type,
            RecordTransferred.type, CaregiverGranted.type, CaregiverRevoked.type, EmergencyOpened.type,
            NoticeAcknowledged.type, AccountAdded.type:
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
        if frame.type == AccountAdded.type.rawValue {
            return try transaction.put(
                Key(frame.position),
                [UInt8](frame.subject).raw,
                in: tables[Rows.accounts]
            )
        }
        if frame.type == RecordErased.type.rawValue { return try erase(frame.entry, tables, transaction) }
        let event: JournalEvent
        do {
            event = try log.recorded(frame).event
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the error is rethrown, and the caller waits or
            // retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            // Events of an erased record grant no access.
            return
        }
        let at = frame.position
        switch event.data {
        case let created as RecordCreated:
            for owner in created.owners { try change(owner, frame, tables, transaction) { $0.owner = at } }
        case let added as RecordOwnerAdded:
            try change(added.account, frame, tables, transaction) { $0.owner = at }
        case let removed as RecordOwnerRemoved:
            try change(removed.account, frame, tables, transaction) { $0.owner = 0 }
        case let transferred as RecordTransferred:
            for other in try accounts(of: frame.subject, tables, transaction) where other != transferred.account {
                try change(other, frame, tables, transaction) { $0.owner = 0 }
            }
            try change(transferred.account, frame, tables, transaction) { $0.owner = at }
        case let granted as CaregiverGranted:
            try change(granted.account, frame, tables, transaction) { row in
                row.terms = at
                row.revoked = 0
            }
        case let revoked as CaregiverRevoked:
            try change(revoked.account, frame, tables, transaction) { row in
                if row.terms > 0 { row.revoked = at }
            }
        case let opened as EmergencyOpened:
            try change(opened.account, frame, tables, transaction) { $0.emergency = at }
            try putNotice(at, of: frame.subject, acknowledged: at, tables, transaction)
        case let notice as NoticeAcknowledged:
            let key = Key(frame.subject).appending(notice.position)
            guard let known = try transaction.reading.get(key, in: tables[Rows.emergencies]) else { return }
            // Only the first acknowledgement counts.
            guard try known.position(at: 0) == notice.position else { return }
            try putNotice(notice.position, of: frame.subject, acknowledged: at, tables, transaction)
        default:
            break
        }
    }

    private func putNotice(
        _ position: UInt64,
        of record: UUID,
        acknowledged: UInt64,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        var value: [UInt8] = []
        value.append(littleEndian: acknowledged)
        try transaction.put(Key(record).appending(position), value.raw, in: tables[Rows.emergencies])
    }

    /// Returns all accounts that have a row for a record, whatever their access is at this position.
    private func accounts(
        of record: UUID,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws -> [UUID] {
        let cursor = try transaction.reading.cursor(in: tables[Rows.byRecord])
        var found: [UUID] = []
        var row = try cursor.seek(Key(record))
        while let current = row, current.key.starts(with: Key(record)) {
            let account = try current.key.id(at: 16)
            found.append(account)
            row = try cursor.seek(Key(record).appending(account).appending(UInt64.max))
        }
        return found
    }

    /// Deletes all rows of an erased record, so that nothing shows who had access to it.
    private func erase(_ record: UUID, _ tables: ViewTables, _ transaction: borrowing WriteTransaction) throws {
        var accounts: Set<UUID> = []
        try transaction.deleteAll(startingWith: Key(record), in: tables[Rows.byRecord]) { key, _ in
            accounts.insert(try key.id(at: 16))
        }
        for account in accounts {
            try transaction.deleteAll(startingWith: Key(account).appending(record), in: tables[Rows.byAccount])
        }
        try transaction.deleteAll(startingWith: Key(record), in: tables[Rows.emergencies])
    }

    /// Changes the access of an account to the event's record from the event's position on.
    ///
    /// Writes nothing if the row does not change.
    private func change(
        _ account: UUID,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ body: (inout PermissionRow) -> Void
    ) throws {
        let record = frame.subject
        let at = frame.position
        let before = try TemporalIndex.newest(
            Key(record).appending(account),
            asOf: at,
            in: tables[Rows.byRecord],
            transaction.reading
        ) { _, value in PermissionRow(value) }
        var row = before.flatMap { $0 } ?? PermissionRow()
        let old = row
        body(&row)
        guard row != old else { return }
        try transaction.put(Key(record).appending(account).appending(at), row.bytes.raw, in: tables[Rows.byRecord])
        try transaction.put(Key(account).appending(record).appending(at), row.bytes.raw, in: tables[Rows.byAccount])
    }
}
