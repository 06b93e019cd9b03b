/// The data of one type of event.
///
/// A type of event is one file with a conforming struct, and one line in `EventType.data`. Its stored form, JSON,
/// schema, changes and words follow from its `definition`; its effect is defined by `evolve` of the stream's state.
package protocol EventData: Hashable, Sendable {
    /// The type, with the code that is never changed or reused.
    static var type: EventType { get }
    static var definition: EventDefinition { get }
    /// A description of what the event is about, for audit trails.
    var summary: EventSummary { get }
}

/// The data of an event that sets the content of an entry.
package protocol EntryContentEvent: EventData {
    var content: EntryContent { get }
}

/// The data of an event that records an access.
package protocol AccessEvent: EventData {
    var access: Access { get }
}

extension EventData {
    func isEqual(to other: any EventData) -> Bool { other as? Self == self }
}
