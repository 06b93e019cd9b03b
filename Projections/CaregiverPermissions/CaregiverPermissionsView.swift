package import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import LMDB
package import ProjectionKit

/// Answers who may see what, now and at any position of the past.
package struct CaregiverPermissionsView: Sendable {
    private let views: ViewStore
    private let log: EventLog
    private let projection = CaregiverPermissions()

    package init(views: ViewStore, log: EventLog) {
        self.views = views
        self.log = log
    }

    /// How an account stood to a record.
    package func permission(of account: UUID, on record: UUID, asOf position: UInt64) throws -> Permission {
        try views.query(projection) { tables, transaction in
            let key = Key(record).appending(account)
            return try permission(key, asOf: position, in: tables[CaregiverPermissions.Rows.byRecord], transaction)
        }
    }

    /// All grants of a record, the revoked and the ended ones among them.
    package func grants(of record: UUID, asOf position: UInt64) throws -> GrantsState {
        var state = GrantsState()
        for found in try permissions(Key(record), CaregiverPermissions.Rows.byRecord, asOf: position) {
            if case .caregiver(let grant) = found.permission { state.grants[found.id] = grant }
        }
        return state
    }

    /// The records that an account owned or had a grant for, in no particular order.
    package func records(of account: UUID, asOf position: UInt64) throws -> [RecordPermission] {
        try permissions(Key(account), CaregiverPermissions.Rows.byAccount, asOf: position)
            .map { RecordPermission(record: $0.id, permission: $0.permission) }
    }

    /// The accounts in the order in which they were added.
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

    private func permissions(
        _ prefix: Key,
        _ table: Int,
        asOf position: UInt64
    ) throws -> [(id: UUID, permission: Permission)] {
        try views.query(projection) { tables, transaction in
            var found: [(id: UUID, permission: Permission)] = []
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
        let newest: (position: UInt64, row: PermissionRow)?? = try TemporalIndex.newest(
            key,
            asOf: position,
            in: table,
            transaction
        ) { at, value in PermissionRow(value).map { (at, $0) } }
        guard let found = newest.flatMap({ $0 }) else { return .none }
        if found.row.standing == .owner { return .owner }
        do {
            let given = try log.recorded(log.event(at: found.row.terms))
            guard case .caregiverGranted(let account, let terms) = given.event else { return .none }
            var grant = Grant(account: account, terms: terms, given: given.stamp)
            if found.row.standing == .revoked { grant.revoked = try log.recorded(log.event(at: found.position)).stamp }
            return .caregiver(grant)
        } catch let error as EventLogError where error.code == .subjectErased {
            return .none
        }
    }
}
