package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import LMDB
package import ProjectionKit

/// Queries of who may access which record, at present and at any past position.
package struct CaregiverPermissionsView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = CaregiverPermissions()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// Returns the access of an account to a record at a position.
    package func permission(of account: UUID, on record: UUID, asOf position: UInt64) throws -> Permission {
        try views.query(projection) { tables, transaction in
            let key = Key(record).appending(account)
            return try permission(key, asOf: position, in: tables[CaregiverPermissions.Rows.byRecord], transaction)
        }
    }

    /// Returns all grants of a record, including revoked and expired ones.
    package func grants(of record: UUID, asOf position: UInt64) throws -> GrantsState {
        var state = GrantsState()
        for found in try permissions(of: record, asOf: position) {
            state.grants[found.account] = found.permission.grant
        }
        return state
    }

    /// Returns the access of each account that ever had access to a record, as of a position.
    package func permissions(
        of record: UUID,
        asOf position: UInt64
    ) throws -> [(account: UUID, permission: Permission)] {
        try permissions(Key(record), CaregiverPermissions.Rows.byRecord, asOf: position)
    }

    /// Returns each opening of a record's emergency view, oldest first.
    package func emergencies(of record: UUID, asOf position: UInt64) throws -> [Emergency] {
        var rows: [(opened: UInt64, row: EmergencyRow)] = []
        try views.query(projection) { tables, transaction in
            try TemporalIndex.forEach(
                Key(record),
                through: position,
                in: tables[CaregiverPermissions.Rows.emergencies],
                transaction
            ) { at, value in
                if let row = EmergencyRow(value) { rows.append((at, row)) }
                return true
            }
        }
        func stamp(_ at: UInt64) throws -> Stamp? {
            at > 0 && at <= position ? try log.recorded(log.event(at: at)).stamp : nil
        }
        return try rows.compactMap { opened, row in
            guard var emergency = try emergency(at: opened) else { return nil }
            emergency.acknowledged = try stamp(row.acknowledged)
            emergency.ended = try stamp(row.ended)
            return emergency
        }
    }

    /// Returns the records that an account owned or had a grant for, in no particular order.
    package func records(of account: UUID, asOf position: UInt64) throws -> [RecordPermission] {
        try permissions(Key(account), CaregiverPermissions.Rows.byAccount, asOf: position)
            .map { RecordPermission(record: $0.account, permission: $0.permission) }
    }

    /// Returns the accounts in the order in which they were added.
    package func accounts(asOf position: UInt64) throws -> [UUID] {
        try views.query(projection) { tables, transaction in
            var ids: [UUID] = []
            try TemporalIndex.forEach(
                Key(),
                through: position,
                in: tables[CaregiverPermissions.Rows.accounts],
                transaction
            ) { _, value in
                ids.append(try value.id(at: 0))
                return true
            }
            return ids
        }
    }

    /// Returns the permissions under a key prefix, by the other id of the key.
    ///
    /// These are the accounts of a record, or the records of an account. The label `account` holds either.
    private func permissions(
        _ prefix: Key,
        _ table: Int,
        asOf position: UInt64
    ) throws -> [(account: UUID, permission: Permission)] {
        try views.query(projection) { tables, transaction in
            var found: [(account: UUID, permission: Permission)] = []
            let cursor = try transaction.cursor(in: tables[table])
            var row = try cursor.seek(prefix)
            while let current = row, current.key.starts(with: prefix) {
                let id = try current.key.id(at: 16)
                let key = prefix.appending(id)
                let permission = try permission(key, asOf: position, in: tables[table], transaction)
                if permission != .none { found.append((id, permission)) }
                row = try cursor.seek(key.appending(UInt64.max))
            }
            return found
        }
    }

    private func permission(
        _ key: Key,
        asOf position: UInt64,
        in table: Table,
        _ transaction: borrowing ReadTransaction
    ) throws -> Permission {
        let newest = try TemporalIndex.newest(key, asOf: position, in: table, transaction) { _, value in
            PermissionRow(value)
        }
        guard let row = newest.flatMap({ $0 }) else { return .none }
        var permission = Permission(isOwner: row.owner > 0)
        do {
            if row.terms > 0 {
                let given = try log.recorded(log.event(at: row.terms))
                guard let granted = given.event.data as? CaregiverGranted else { return permission }
                var grant = Grant(
                    account: granted.account,
                    terms: granted.terms,
                    given: given.stamp,
                    invitedBy: granted.invitedBy
                )
                if row.revoked > 0 { grant.revoked = try log.recorded(log.event(at: row.revoked)).stamp }
                permission.grant = grant
            }
            if row.emergency > 0 { permission.emergency = try emergency(at: row.emergency) }
            return permission
        } catch let error as EventLogError where error.code == .subjectErased {
            return .none
        }
    }

    private func emergency(at position: UInt64) throws -> Emergency? {
        let event = try log.recorded(log.event(at: position))
        guard let emergency = event.event.data as? EmergencyOpened else { return nil }
        return Emergency(
            account: emergency.account,
            expires: emergency.expires,
            opened: event.stamp,
            reason: event.reason
        )
    }
}
