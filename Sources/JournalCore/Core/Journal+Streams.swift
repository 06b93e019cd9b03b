package import EventLog
package import FoundationEssentials
internal import HealthModel

/// The streams that events belong to.
///
/// The stream of a record, an entry or an account has the id of that record, entry or account. All other stream ids are
/// derived with a secret key, so no id that a client chooses for an entry can equal one of them.
extension Journal {
    /// Returns the stream of a record's grants, on which the limit of caregivers is enforced.
    package func grantStream(of record: UUID) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "grants", subject: record)
    }

    /// Returns the stream of the reads of a record.
    ///
    /// It is separate from the record's changes, so a read never conflicts with a change.
    package func accessStream(of record: UUID) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "access", subject: record)
    }

    /// Returns the stream of the calendar feeds of a record or a specialist.
    package func calendarStream(of subject: UUID) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "calendars", subject: subject)
    }

    /// Returns the stream of the postponed reminders of a record.
    package func snoozeStream(of record: UUID) throws(EventLogError) -> UUID { try log.snoozeStream(of: record) }

    /// Returns the stream of the reminders that were sent about a record.
    ///
    /// It is separate from the postponed ones, which every page of the day reads.
    package func reminderStream(of record: UUID) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "reminders", subject: record)
    }

    /// Returns the stream of a value that must be unique in a journal.
    ///
    /// The stream's id does not reveal the value.
    package func claim(_ kind: UniqueValue, _ value: String) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "\(kind.rawValue):\(value)", subject: log.description.id)
    }

    /// Returns the stream for events of other tools under a stream name.
    package func external(_ name: String) throws(EventLogError) -> UUID {
        try log.opaqueID(of: "stream:\(name)", subject: log.description.id)
    }
}

extension EventLog {
    package func snoozeStream(of record: UUID) throws(EventLogError) -> UUID {
        try opaqueID(of: "snoozes", subject: record)
    }
}

/// A kind of value that must be unique in a journal.
package enum UniqueValue: String {
    case animalID
    case accountName
    /// An identity at a sign-in provider: its issuer and subject.
    case identity
    /// The digest of an invitation code, claimed by the record that the code belongs to.
    case invitation
    /// The digest of the secret of a calendar feed, claimed by the record or the specialist that it shows.
    case calendar
    /// The number of a patient within a practice.
    case recordNumber
    /// The licence number of a specialist within a practice.
    case license
    /// The e-mail address of a client within a practice.
    case clientEmail
}
