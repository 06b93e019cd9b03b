internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

/// A record as it is now, without its entries, and how an account stands to it.
struct Standing: Sendable {
    /// The version of the record's own stream to which the header belongs.
    let version: UInt64
    let accessStream: UUID
    let header: RecordState
    let permission: Permission
    /// The log's head when it was so.
    let position: UInt64

    init(_ known: KnownRecord, _ permission: Permission, position: UInt64) {
        (version, accessStream, header) = (known.version, known.accessStream, known.header)
        (self.permission, self.position) = (permission, position)
    }
}

extension Journal {
    enum Place {
        case found(Standing)
        case erased(Tombstone)
        case missing
    }

    /// How an account stands to a record, by all that the log says at this moment.
    func standing(of account: UUID, to record: UUID) throws -> Place {
        let (position, known) = try cache.known(record, log)
        if let known, let permission = known.permissions[account] {
            return .found(Standing(known, permission, position: position))
        }
        if let tombstone = try tombstone(of: record) { return .erased(tombstone) }
        let version = try log.version(of: record)
        let head = try log.head()
        guard version > 0, let header = try records.header(of: record, asOf: head) else { return .missing }
        let permission = try permissions.permission(of: account, on: record, asOf: head)
        let found = KnownRecord(version: version, accessStream: try accessStream(of: record), header: header)
        // Read around the position: what is the same before and after was so at it.
        if try log.version(of: record) == version {
            try cache.keep(record, asOf: head, log) { known in
                var kept = known ?? found
                kept.keep(permission, of: account)
                known = kept
            }
        }
        return .found(Standing(found, permission, position: head))
    }
}
