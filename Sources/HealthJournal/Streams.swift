internal import EventLog
internal import FoundationEssentials
internal import HealthModel

/// Which stream an event belongs to.
///
/// A record, an entry and an account have their own id for their stream. All others are named by a secret, so that no id
/// that somebody gives an entry can be one of theirs.
extension Journal {
    /// A record's grants: what its limit of caregivers is decided on.
    func grantStream(of record: UUID) throws(EventLogError) -> UUID { try log.opaqueID(of: "grants", subject: record) }

    /// Who looked at a record; apart from its changes, so that looking never stands in a change's way.
    func accessStream(of record: UUID) throws(EventLogError) -> UUID { try log.opaqueID(of: "access", subject: record) }

    /// A value that may stand only once in a journal.
    ///
    /// The stream's name does not give the value away.
    func claim(_ kind: UniqueValue, _ value: String) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "\(kind.rawValue):\(value)", subject: log.description.id)
    }

    /// Events of other tools.
    func external(_ name: String) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "stream:\(name)", subject: log.description.id)
    }
}

/// A kind of value that may stand only once in a journal.
enum UniqueValue: String {
    case animalID
    case accountName
    /// A provider's name for somebody.
    case identity
    /// The digest of a code, held by the record that it leads to.
    case invitation
}
