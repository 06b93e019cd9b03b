package import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import JournalEvents
package import LMDB
package import ProjectionKit

/// The access of each account to each record at any position, as references to the events that define it.
package struct CaregiverPermissions: Projection {
    package static let name = "CaregiverPermissions"
    package static let version: UInt64 = 5
    package static let tables = ["byRecord", "byAccount", "accounts", "emergencies"]

    enum Rows {
        /// Record, account, position → ``PermissionRow``.
        static let byRecord = 0
        /// Account, record, position → the same row.
        static let byAccount = 1
        /// Position of the account's addition → account.
        static let accounts = 2
        /// Record, position of an event that opened its emergency view → ``EmergencyRow``.
        static let emergencies = 3
    }

    package init() {}

    package func handles(type: UInt16) -> Bool {
        // Most events are those of entries.
        guard let type = EventType(rawValue: type), type.category != .entry else { return false }
        return switch type {
        case RecordCreated.type, RecordErased.type, RecordOwnerAdded.type, RecordOwnerRemoved.type,
            RecordTransferred.type, RecordChanged.type, CaregiverGranted.type, CaregiverRevoked.type,
            EmergencyOpened.type,
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
            return try transaction.put(Key(frame.position), [UInt8](frame.subject).raw, in: tables[Rows.accounts])
        }
        if frame.type == RecordErased.type.rawValue { return try erase(frame.entry, tables, transaction) }
        let event: RecordedEvent
        do {
            event = try log.recorded(frame)
        } catch let error as EventLogError where error.code == .subjectErased {
            // An erasure that may still be undone must not be skipped: the error is rethrown, and the caller waits or
            // retries.
            guard try log.isPermanentlyErased(frame) else { throw error }
            // Events of an erased record grant no access.
            return
        }
        let at = frame.position
        switch event.event.data {
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
            try endOpenings(event.stamp, frame, tables, transaction, log) { emergency, _ in
                emergency.account == revoked.account
            }
        case let opened as EmergencyOpened:
            try change(opened.account, frame, tables, transaction) { $0.emergency = at }
            let key = Key(frame.subject).appending(at)
            try transaction.put(key, EmergencyRow().bytes.raw, in: tables[Rows.emergencies])
        case let notice as NoticeAcknowledged:
            // Only the first acknowledgement counts.
            try changeEmergency(notice.position, of: frame.subject, tables, transaction) { row in
                if row.acknowledged == 0 { row.acknowledged = at }
            }
        case let changed as RecordChanged where changed.profile.values.flag(RecordProfile.isOpenToEmergencies) != true:
            // Caregivers open the view for their own account, members of a practice for the practice.
            try endOpenings(event.stamp, frame, tables, transaction, log) { emergency, actor in
                emergency.account != actor
            }
        default:
            break
        }
    }

    /// Ends the emergency views of the event's record that are open, and that are selected by what opened them and by the
    /// account that did.
    ///
    /// Permission that is given again opens none of them.
    private func endOpenings(
        _ stamp: Stamp,
        _ frame: Frame,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ log: EventLog,
        where isEnded: (EmergencyOpened, _ actor: UUID) -> Bool
    ) throws {
        var positions: [UInt64] = []
        try TemporalIndex.forEach(
            Key(frame.subject),
            through: frame.position,
            in: tables[Rows.emergencies],
            transaction.reading
        ) { position, value in
            if EmergencyRow(value)?.ended == 0 { positions.append(position) }
            return true
        }
        for position in positions {
            let opened = try log.recorded(log.event(at: position))
            guard let emergency = opened.event.data as? EmergencyOpened, stamp.recordedAt < emergency.expires,
                isEnded(emergency, opened.stamp.actor)
            else { continue }
            try changeEmergency(position, of: frame.subject, tables, transaction) { $0.ended = frame.position }
            try change(emergency.account, frame, tables, transaction) { row in
                if row.emergency == position { row.emergency = 0 }
            }
        }
    }

    private func changeEmergency(
        _ position: UInt64,
        of record: UUID,
        _ tables: ViewTables,
        _ transaction: borrowing WriteTransaction,
        _ body: (inout EmergencyRow) -> Void
    ) throws {
        let key = Key(record).appending(position)
        guard let value = try transaction.reading.get(key, in: tables[Rows.emergencies]), var row = EmergencyRow(value)
        else { return }
        body(&row)
        try transaction.put(key, row.bytes.raw, in: tables[Rows.emergencies])
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
