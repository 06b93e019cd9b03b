package import EventLog
package import HealthModel

extension EntryHistory.Change {
    /// Creates the change of an entry that an event's header states; nil if the event changes no entry.
    ///
    /// The payload is not read, so that it is also known of an erased entry.
    package init?(_ event: StoredEvent) {
        guard let effect = EventType(rawValue: event.header.type)?.entryEffect else { return nil }
        let day = event.header.occurred.map { Day(daysSince1970: $0.daysSince1970) }
        self.init(position: event.position, effect: effect, day: day)
    }
}
