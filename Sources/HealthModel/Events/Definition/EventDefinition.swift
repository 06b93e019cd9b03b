/// The permanent properties of a type of event, and its fields.
package final class EventDefinition: Sendable {
    /// The name in audit trails, in the API and on the command line; never changed or reused.
    package let name: String
    /// Names that earlier versions used; they are still read.
    package let formerNames: [String]
    package let category: EventCategory
    /// The English words for the event on pages.
    package let label: String
    /// The state that an event sets as a whole, so that an audit trail compares it with the previous event of its stream
    /// that sets the same state; nil if there is none.
    package let state: ReplacedState?
    package let fields: [DefinedField]

    /// How the event's data is stored.
    let form: Form
    /// Whether the event sets the content of an entry.
    let setsContent: Bool
    /// How the event changes its entry; nil for an event that is not about an entry.
    package let entryEffect: EntryEffect?

    enum Form: Sendable {
        /// As the content of an entry.
        case content(make: @Sendable (EntryContent) -> any EventData)
        /// As an access.
        case access(make: @Sendable (Access) -> any EventData)
        /// As the values of `fields`.
        case fields(
            write: @Sendable (any EventData) -> FieldValues,
            read: @Sendable (FieldValues) throws(ModelError) -> any EventData
        )
    }

    package struct DefinedField: Sendable {
        package let field: Field
        package let visibility: EventVisibility
    }

    /// Defines an event by its fields.
    ///
    /// `make` receives the values of the fields, in their order.
    package init<Event: EventData, each Value: EventValue>(
        _ name: String,
        _ category: EventCategory,
        _ label: String,
        formerNames: [String] = [],
        sets state: ReplacedState? = nil,
        effect: EntryEffect? = nil,
        _ make: @escaping @Sendable (repeat each Value) -> Event,
        _ field: repeat EventField<Event, each Value>
    ) {
        var fields: [DefinedField] = []
        for field in repeat each field { fields.append(field.defined) }
        self.name = name
        self.formerNames = formerNames
        self.category = category
        self.label = label
        self.state = state
        self.fields = fields
        entryEffect = effect
        setsContent = false
        form = .fields(
            write: { event in
                var values = FieldValues()
                guard let event = event as? Event else { preconditionFailure("the data of another event") }
                for field in repeat each field { field.write(event, to: &values) }
                return values
            },
            read: { values throws(ModelError) in make(repeat try (each field).read(values)) }
        )
    }

    /// Defines an event that sets the content of an entry.
    init(
        _ name: String,
        _ label: String,
        effect: EntryEffect,
        content make: @escaping @Sendable (EntryContent) -> any EventData
    ) {
        (self.name, self.label, category) = (name, label, .entry)
        entryEffect = effect
        (formerNames, state, fields) = ([], nil, [])
        setsContent = true
        form = .content(make: make)
    }

    /// Defines an event that records an access.
    init(_ name: String, _ label: String, access make: @escaping @Sendable (Access) -> any EventData) {
        (self.name, self.label, category) = (name, label, .access)
        entryEffect = nil
        (formerNames, state, fields) = ([], nil, [])
        setsContent = false
        form = .access(make: make)
    }
}
