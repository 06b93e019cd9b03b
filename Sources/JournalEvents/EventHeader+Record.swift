package import EventLog
package import FoundationEssentials
internal import HealthModel

extension EventHeader {
    /// The record that an event is about; nil for one that is about none.
    ///
    /// Known without any key.
    package var record: UUID? { recordOfEvent(type, category, subject: subject, entry: entry) }
}

extension Frame {
    /// The record that the event is about; nil for one that is about none.
    package var record: UUID? { recordOfEvent(type, category, subject: subject, entry: entry) }
}

private func recordOfEvent(_ type: UInt16, _ category: UInt16, subject: UUID, entry: UUID) -> UUID? {
    // Its subject is the journal, whose key seals it: that of the record is gone.
    if type == EventType.recordErased.rawValue { return entry }
    return switch EventCategory(rawValue: category) {
    // A refusal that concerns no record has the journal for its subject, and is kept with the looks at records.
    case .record, .entry, .grant, .access: subject
    default: nil
    }
}
