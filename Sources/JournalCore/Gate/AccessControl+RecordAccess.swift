package import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

/// A record as it is now, without its entries, and the access of an account to it.
package struct RecordAccess: Sendable {
    /// The version of the record's own stream to which the header belongs.
    package let version: UInt64
    package let accessStream: UUID
    package let header: RecordState
    package let permission: Permission
    /// The head of the log for which this state is valid.
    package let position: UInt64

    init(_ known: CachedRecord, _ permission: Permission, position: UInt64) {
        (version, accessStream, header) = (known.version, known.accessStream, known.header)
        (self.permission, self.position) = (permission, position)
    }
}

extension Journal.AccessControl {
    /// Returns the access of an account to a record; on a replica, what the service last stated.
    package func permission(of account: UUID, on record: UUID, asOf position: UInt64) throws -> Permission {
        if let replica = journal.replica { return replica.permission(of: account, on: record) }
        return try journal.permissions.permission(of: account, on: record, asOf: position)
    }

    /// Returns the records that an account owned or had a grant for; on a replica, those that it sees.
    func permittedRecords(of account: UUID, asOf position: UInt64) throws -> [RecordPermission] {
        if let replica = journal.replica { return replica.records(of: account) }
        return try journal.permissions.records(of: account, asOf: position)
    }

    package enum RecordLookup {
        case found(RecordAccess)
        case erased(Tombstone)
        case missing
    }

    /// Returns the access of an account to a record, as of the log's head.
    package func recordAccess(of account: UUID, to record: UUID) throws -> RecordLookup {
        let (position, known) = try journal.cache.known(record, journal.log)
        if let known, let permission = known.permissions[account] {
            return .found(RecordAccess(known, permission, position: position))
        }
        if let tombstone = try journal.erasure.tombstone(of: record) { return .erased(tombstone) }
        let version = try journal.log.version(of: record)
        let head = try journal.log.head()
        guard version > 0, let header = try journal.medicalRecords.header(of: record, asOf: head) else {
            // The record may have been erased since the first check.
            return try journal.erasure.tombstone(of: record).map { .erased($0) } ?? .missing
        }
        let permission = try self.permission(of: account, on: record, asOf: head)
        let found = CachedRecord(version: version, accessStream: try journal.accessStream(of: record), header: header)
        // The version is the same before and after the head was read, so the header is valid as of that head.
        if try journal.log.version(of: record) == version {
            try journal.cache.keep(record, asOf: head, journal.log) { known in
                var kept = known ?? found
                kept.keep(permission, of: account)
                known = kept
            }
        }
        return .found(RecordAccess(found, permission, position: head))
    }
}
