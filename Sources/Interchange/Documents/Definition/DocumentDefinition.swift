package import HealthModel

/// A document whose schema, JSON and reader follow from the list of its members.
package protocol DefinedDocument: APIDocument {
    static var definition: DocumentDefinition<Self> { get }
}

extension DefinedDocument {
    package static var schema: JSONValue { definition.schema }

    package var json: JSONValue { Self.definition.write(self) }

    package init(_ object: NativeObject) throws(ModelError) { self = try Self.definition.read(object) }
}

/// The members of a document.
package struct DocumentDefinition<Document>: Sendable {
    package let schema: JSONValue
    package let read: @Sendable (NativeObject) throws(ModelError) -> Document
    let parts: [DerivedMember<Document>]

    /// Defines a document by its members, in the order in which its JSON has them.
    ///
    /// `make` receives the values of the members; those that are derived from others are not read. The schema lists the
    /// members that may be absent after the others.
    package init<each Value>(
        _ make: @escaping @Sendable (repeat each Value) throws(ModelError) -> Document,
        _ member: repeat DocumentMember<Document, each Value>,
        derived: [DerivedMember<Document>] = []
    ) {
        var parts: [DerivedMember<Document>] = []
        for member in repeat each member { parts += member.parts }
        for added in derived {
            let index = parts.firstIndex { $0.name == added.place }
            guard let index else { preconditionFailure("no member \(added.place ?? "") before \(added.name)") }
            parts.insert(added, at: index + 1)
        }
        self.parts = parts
        func described(_ isRequired: Bool) -> JSONValue {
            .object(parts.filter { $0.isRequired == isRequired }.map { JSONValue.Member($0.name, $0.schema) })
        }
        schema = JSONSchema.object(described(true), optional: described(false))
        read = { object throws(ModelError) in try make(repeat try (each member).read(object)) }
    }

    package func write(_ document: Document) -> JSONValue {
        .object(parts.compactMap { part in part.write(document).map { JSONValue.Member(part.name, $0) } })
    }
}

/// What a document says in one member of its JSON.
package struct DerivedMember<Document>: Sendable {
    let name: String
    let schema: JSONValue
    let isRequired: Bool
    /// The member that it follows.
    let place: String?
    /// Nil if the member is absent.
    let write: @Sendable (Document) -> JSONValue?

    init(
        _ name: String,
        schema: JSONValue,
        isRequired: Bool = true,
        after place: String? = nil,
        write: @escaping @Sendable (Document) -> JSONValue?
    ) {
        (self.name, self.schema, self.isRequired, self.place, self.write) = (name, schema, isRequired, place, write)
    }

    /// Creates a member that follows from others.
    package init<Value: DocumentValue>(
        _ name: String,
        after place: String,
        schema: JSONValue = Value.schema,
        _ description: String? = nil,
        _ value: @escaping @Sendable (Document) -> Value
    ) {
        self.init(name, schema: schema.described(description), isRequired: Value.isRequired, after: place) {
            value($0).memberValue
        }
    }
}

/// A value of a document: the members in which its JSON has it, and how it is read from them.
package struct DocumentMember<Document, Value>: Sendable {
    let parts: [DerivedMember<Document>]
    let read: @Sendable (NativeObject) throws(ModelError) -> Value

    init(
        _ parts: [DerivedMember<Document>],
        read: @escaping @Sendable (NativeObject) throws(ModelError) -> Value
    ) {
        (self.parts, self.read) = (parts, read)
    }

    /// Creates a member whose value is written and read by functions.
    package init(
        _ name: String,
        schema: JSONValue,
        isRequired: Bool = true,
        write: @escaping @Sendable (Document) -> JSONValue?,
        read: @escaping @Sendable (NativeObject) throws(ModelError) -> Value
    ) {
        self.init([DerivedMember(name, schema: schema, isRequired: isRequired, write: write)], read: read)
    }
}

extension DocumentMember where Value: DocumentValue {
    /// Creates a member with a value of the document.
    ///
    /// `schema` replaces that of the type; a description is added to it.
    package init(
        _ name: String,
        _ value: @escaping @Sendable (Document) -> Value,
        schema: JSONValue = Value.schema,
        _ description: String? = nil
    ) {
        self.init(name, schema: schema.described(description), isRequired: Value.isRequired) {
            value($0).memberValue
        } read: { object throws(ModelError) in
            try Value.read(name, of: object)
        }
    }
}

extension DocumentMember where Value == Bool {
    /// Creates a member that is true or absent.
    package static func mark(
        _ name: String,
        _ value: @escaping @Sendable (Document) -> Bool,
        _ description: String? = nil
    ) -> Self {
        Self(name, schema: Bool.schema.described(description), isRequired: false) {
            value($0) ? .bool(true) : nil
        } read: { object throws(ModelError) in
            try object.optionalFlag(name)
        }
    }
}

extension DocumentMember where Value == String {
    /// Creates a member that is absent if the text is empty.
    package static func text(
        _ name: String,
        _ value: @escaping @Sendable (Document) -> String,
        _ description: String? = nil
    ) -> Self {
        Self(name, schema: String.schema.described(description), isRequired: false) {
            .notEmpty(value($0))
        } read: { object throws(ModelError) in
            try object.text(name) ?? ""
        }
    }
}

extension DocumentMember where Value == TimeSpan {
    /// Creates the members `from` and `until` of a span.
    package static func span(
        _ value: @escaping @Sendable (Document) -> TimeSpan,
        schema: JSONValue = JSONSchema.time
    ) -> Self {
        Self([
            DerivedMember("from", schema: schema) { .time(value($0).start) },
            DerivedMember("until", schema: schema) { .time(value($0).end) },
        ]) { object throws(ModelError) in
            guard let span = TimeSpan(try object.instant("from"), try object.instant("until")) else {
                throw ModelError(.invalid, field: object.path.appending("until").field, "must be after the start")
            }
            return span
        }
    }
}

extension DocumentMember {
    /// Creates a member with a list that is absent if it is empty.
    package static func some<Item: DocumentItem>(
        _ name: String,
        _ value: @escaping @Sendable (Document) -> [Item],
        _ description: String? = nil
    ) -> Self where Value == [Item] {
        Self(name, schema: [Item].schema.described(description), isRequired: false) {
            let items = value($0)
            return items.isEmpty ? nil : items.memberValue
        } read: { object throws(ModelError) in
            object.has(name) ? try Item.readAll(name, of: object) : []
        }
    }

    /// Creates a member with a word, which is read as absent if this version does not know it.
    package static func known<Word: DocumentWord>(
        _ name: String,
        _ value: @escaping @Sendable (Document) -> Word?,
        _ description: String? = nil
    ) -> Self where Value == Word? {
        Self(name, schema: Word.schema.described(description), isRequired: false) {
            value($0)?.memberValue
        } read: { object throws(ModelError) in
            try object.text(name).flatMap { Word(rawValue: $0) }
        }
    }

    /// Creates members that the document has in common with another one.
    package static func members(
        of definition: DocumentDefinition<Value>,
        _ value: @escaping @Sendable (Document) -> Value
    ) -> Self {
        Self(
            definition.parts.map { part in
                DerivedMember(part.name, schema: part.schema, isRequired: part.isRequired) { part.write(value($0)) }
            },
            read: definition.read
        )
    }
}

extension JSONValue {
    /// Returns a schema with a description, if there is one.
    func described(_ description: String?) -> JSONValue {
        description.map { merging(["description": .string($0)]) } ?? self
    }
}
