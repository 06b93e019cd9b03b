/// Where the value of a field is shown, besides being stored.
package struct EventVisibility: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// In the event's JSON: in the feed and in histories.
    package static let json = EventVisibility(rawValue: 1)
    /// Among the changes in the audit trail of the replay tool, which requires the journal's key.
    package static let trail = EventVisibility(rawValue: 2)
    package static let all: EventVisibility = [.json, .trail]
    /// Only stored, such as a digest.
    package static let stored: EventVisibility = []
}

/// One field of an event's data.
package struct EventField<Event: EventData, Value: EventValue>: Sendable {
    private let field: Field
    private let path: any KeyPath<Event, Value> & Sendable
    private let visibility: EventVisibility

    /// Creates the field with its stable number, never reused within one type of event, and its name in JSON.
    package init(
        _ number: UInt32,
        _ name: String,
        _ path: any KeyPath<Event, Value> & Sendable,
        _ visibility: EventVisibility = .all
    ) {
        field = Field(number, name, name, Value.fieldType, isRequired: Value(fieldValue: nil) == nil)
        self.path = path
        self.visibility = visibility
    }

    var defined: EventDefinition.DefinedField { .init(field: field, visibility: visibility) }

    func write(_ event: Event, to values: inout FieldValues) {
        values[field] = event[keyPath: path].fieldValue
    }

    func read(_ values: FieldValues) throws(ModelError) -> Value {
        let stored = values[field]
        if let value = Value(fieldValue: stored) { return value }
        throw ModelError(
            .invalid,
            field: field.name,
            stored == nil
                ? "is missing" : "has a value that this program does not know; a newer one may have written it"
        )
    }
}
