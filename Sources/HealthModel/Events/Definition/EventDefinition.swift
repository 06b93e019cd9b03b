/// The permanent properties of a type of event, and its fields.
package final class EventDefinition: Sendable {
    /// The code in a frame's header; never changed or reused (NUMBERS.md).
    package let code: UInt16
    /// The name in audit trails, in the API and on the command line; never changed or reused.
    package let name: String
    /// Names that earlier versions used; they are still read.
    package let formerNames: [String]
    package let category: EventCategory
    /// The English words for the event on pages.
    package let label: String
    /// Whether an event replaces the values of the previous event of its type in the stream, so that an audit trail
    /// compares it with that event.
    package let replacesPrevious: Bool
    package let fields: [DefinedField]

    private let encoding: @Sendable (any EventData) -> EventPayload
    private let decoding: @Sendable (EventPayload) throws(ModelError) -> any EventData

    package struct DefinedField: Sendable {
        package let field: Field
        package let visibility: EventVisibility
    }

    /// Defines an event by its fields.
    ///
    /// `make` receives the values of the fields, in their order.
    package init<Event: EventData, each Value: EventValue>(
        _ code: UInt16,
        _ name: String,
        _ category: EventCategory,
        _ label: String,
        formerNames: [String] = [],
        replacesPrevious: Bool = false,
        _ make: @escaping @Sendable (repeat each Value) -> Event,
        _ field: repeat EventField<Event, each Value>
    ) {
        var fields: [DefinedField] = []
        for field in repeat each field { fields.append(field.defined) }
        self.code = code
        self.name = name
        self.formerNames = formerNames
        self.category = category
        self.label = label
        self.replacesPrevious = replacesPrevious
        self.fields = fields
        encoding = { event in
            var values = FieldValues()
            guard let event = event as? Event else { return .fields(values) }
            for field in repeat each field { field.write(event, to: &values) }
            return .fields(values)
        }
        decoding = { payload throws(ModelError) in
            guard case .fields(let values) = payload else { throw .otherPayload(name) }
            return make(repeat try (each field).read(values))
        }
    }

    /// Defines an event that sets the content of an entry.
    init<Event: EventData>(
        _ code: UInt16,
        _ name: String,
        _ label: String,
        content path: any KeyPath<Event, EntryContent> & Sendable,
        _ make: @escaping @Sendable (EntryContent) -> Event
    ) {
        self.code = code
        self.name = name
        self.label = label
        formerNames = []
        category = .entry
        replacesPrevious = false
        fields = []
        encoding = { event in
            guard let event = event as? Event else { return .fields(FieldValues()) }
            return .content(event[keyPath: path])
        }
        decoding = { payload throws(ModelError) in
            guard case .content(let content) = payload else { throw .otherPayload(name) }
            return make(content)
        }
    }

    /// Defines an event that records an access.
    init<Event: EventData>(
        _ code: UInt16,
        _ name: String,
        _ label: String,
        access path: any KeyPath<Event, Access> & Sendable,
        _ make: @escaping @Sendable (Access) -> Event
    ) {
        self.code = code
        self.name = name
        self.label = label
        formerNames = []
        category = .access
        replacesPrevious = false
        fields = []
        encoding = { event in
            guard let event = event as? Event else { return .fields(FieldValues()) }
            return .access(event[keyPath: path])
        }
        decoding = { payload throws(ModelError) in
            guard case .access(let access) = payload else { throw .otherPayload(name) }
            return make(access)
        }
    }

    package var type: EventType { EventType(code: code) }

    func payload(of data: any EventData) -> EventPayload { encoding(data) }

    func data(from payload: EventPayload) throws(ModelError) -> any EventData { try decoding(payload) }
}

/// The data of an event in the form in which it is stored.
enum EventPayload: Hashable, Sendable {
    case fields(FieldValues)
    case content(EntryContent)
    case access(Access)
}

extension ModelError {
    fileprivate static func otherPayload(_ name: String) -> ModelError {
        ModelError(.invalid, field: "payload", "does not contain the data of \(name)")
    }
}
