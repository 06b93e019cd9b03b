/// A state of a stream that events of one or several types set as a whole, such as the agreement about an appointment.
package struct ReplacedState: Hashable, Sendable, ExpressibleByStringLiteral {
    let name: String
    /// The name of the field that identifies the state if a stream has several of this name, such as the services of a
    /// practice; nil if it has only one.
    let key: String?

    package init(stringLiteral name: String) {
        (self.name, key) = (name, nil)
    }

    private init(_ name: String, key: String?) {
        (self.name, self.key) = (name, key)
    }

    /// A state that a stream has once for each value of the field `key`.
    static func each(_ name: String, by key: String) -> ReplacedState { ReplacedState(name, key: key) }
}

extension JournalEvent {
    /// Whether this event sets the state that an earlier event of its stream has set.
    package func replaces(_ earlier: JournalEvent) -> Bool {
        guard let state = definition.state, earlier.definition.state == state else { return false }
        return state.key.map { value(named: $0) == earlier.value(named: $0) } ?? true
    }

    /// The value of the event's own field of this name; nil if it has none.
    func value(named name: String) -> FieldValue? {
        definition.fields.first { $0.field.name == name }.flatMap { values[$0.field] }
    }
}
