package import EventLog
package import FoundationEssentials
package import HealthModel

extension EventHeader {
    /// The record that the event is about, or nil.
    ///
    /// It is derived from the header, without any key. For an access event that concerns no record, it is the journal.
    package var record: UUID? { recordOfEvent(type, category, subject: subject, entry: entry) }
}

extension Frame {
    /// The record that the event is about, or nil; for an access event that concerns no record, the journal.
    package var record: UUID? { recordOfEvent(type, category, subject: subject, entry: entry) }
}

private func recordOfEvent(_ type: UInt16, _ category: UInt16, subject: UUID, entry: UUID) -> UUID? {
    // The record's key is destroyed: the event's subject is the journal, whose key seals it, and `entry` is the record.
    if type == RecordErased.type.rawValue { return entry }
    return switch EventCategory(rawValue: category) {
    case .record, .entry, .grant, .care, .appointment: subject
    // The subject is the record. For a refusal that concerns no record, or an erased one, it is the journal; `entry`
    // then contains the id of the erased record.
    case .access: entry == .zero ? subject : entry
    default: nil
    }
}

/// The actor, source, correlation and reason of a request, stored in the header and payload of each of its events.
package struct EventOrigin: Hashable, Sendable {
    package var actor: UUID
    package var source: EventSource
    /// The id that all events of one request share.
    package var correlation: UUID
    package var reason: String
    /// When and where the change was made, if a device sends it later.
    package var change: ChangeOrigin?

    package init(
        actor: UUID,
        source: EventSource,
        correlation: UUID,
        reason: String = "",
        change: ChangeOrigin? = nil
    ) {
        self.actor = actor
        self.source = source
        self.correlation = correlation
        self.reason = reason
        self.change = change
    }
}
