package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// Who was let in to which record at any position, by reference to the events that say so.
package struct CaregiverPermissions: Projection {
    package static let name = "CaregiverPermissions"
    package static let version: UInt64 = 3
    package static let tables = ["byRecord", "byAccount", "accounts"]

    enum Rows {
        /// Record, account, position → ``PermissionRow``.
        static let byRecord = 0
        /// Account, record, position → the same.
        static let byAccount = 1
        /// Position of the account's addition → account.
        static let accounts = 2
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        switch EventType(rawValue: type) {
        case .recordCreated, .recordErased, .caregiverGranted, .caregiverRevoked, .accountAdded: true
        default: false
        }
    }

    package func apply(
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog
    ) throws {
        if EventType(rawValue: frame.type) == .accountAdded {
            return try transaction.put(
                Key(frame.position),
                [UInt8](frame.subject).raw,
                in: tables[Rows.accounts]
            )
        }
        if EventType(rawValue: frame.type) == .recordErased { return try erase(frame.entry, tables, transaction) }
        let event: JournalEvent
        do {
            event = try log.recorded(frame).event
        } catch let error as EventLogError where error.code == .subjectErased {
            // Nobody is let in to what was erased.
            return
        }
        switch event {
        case .recordCreated(_, let owners):
            for owner in owners {
                try put(PermissionRow(standing: .owner, terms: frame.position), owner, frame, tables, transaction)
            }
        case .caregiverGranted(let account, _):
            try put(PermissionRow(standing: .granted, terms: frame.position), account, frame, tables, transaction)
        case .caregiverRevoked(let account):
            let before = try TemporalIndex.newest(
                Key(frame.subject).appending(account),
                asOf: frame.position,
                in: tables[Rows.byRecord],
                transaction.reading
            ) { _, value in PermissionRow(value) }
            guard let terms = before??.terms else { return }
            try put(PermissionRow(standing: .revoked, terms: terms), account, frame, tables, transaction)
        default:
            break
        }
    }

    /// Who was let in to an erased record is nobody's business any more.
    private func erase(_ record: UUID, _ tables: ViewTables, _ transaction: borrowing WriteTransaction) throws {
        var accounts: Set<UUID> = []
        try transaction.deleteAll(startingWith: Key(record), in: tables[Rows.byRecord]) { key, _ in
            accounts.insert(try key.id(at: 16))
        }
        for account in accounts {
            try transaction.deleteAll(startingWith: Key(account).appending(record), in: tables[Rows.byAccount])
        }
    }

    private func put(
        _ row: PermissionRow,
        _ account: UUID,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction
    ) throws {
        let record = frame.subject
        let at = frame.position
        try transaction.put(Key(record).appending(account).appending(at), row.bytes.raw, in: tables[Rows.byRecord])
        try transaction.put(Key(account).appending(record).appending(at), row.bytes.raw, in: tables[Rows.byAccount])
    }
}
