/// The data of one type of event.
///
/// A type of event is one file with a conforming struct, and one line in `EventType.data`. Its stored form, JSON,
/// schema, changes and words follow from its `definition`; its effect is defined by `evolve` of the stream's state.
package protocol EventData: Hashable, Sendable {
    static var definition: EventDefinition { get }
    /// A description of what the event is about, for audit trails.
    var summary: EventSummary { get }
}

extension EventData {
    package static var type: EventType { definition.type }

    func isEqual(to other: any EventData) -> Bool { other as? Self == self }
}
