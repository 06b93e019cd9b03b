import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
package import Interchange

/// What an endpoint answers: how it is described, sent by a service and read by a client.
package struct EndpointAnswer<Output: Sendable>: Sendable {
    let descriptions: [AnswerDescription]
    let write: @Sendable (Output) -> Response
    let read: @Sendable (NativeObject, _ version: UInt64?) throws(ModelError) -> Output
}

extension EndpointAnswer where Output: APIDocument {
    /// A document; `schema` is its name among the components of the description.
    static func document(_ schema: String, _ description: String) -> Self {
        Self(descriptions: [.json(schema, description)]) {
            Response($0.json)
        } read: { object, _ throws(ModelError) in
            try Output(object)
        }
    }
}

extension EndpointAnswer {
    /// An object whose only member is a list of documents.
    static func list<Document: APIDocument>(_ member: String, _ schema: String, _ description: String) -> Self
    where Output == [Document] {
        list(member, schema, description) {
            $0.json
        } read: { object throws(ModelError) in
            try Document(object)
        }
    }

    /// An object whose only member is a list.
    static func list<Item>(
        _ member: String,
        _ schema: String,
        _ description: String,
        write: @escaping @Sendable (Item) -> JSONValue,
        read: @escaping @Sendable (NativeObject) throws(ModelError) -> Item
    ) -> Self where Output == [Item] {
        Self(descriptions: [.json(schema, description)]) {
            Response(.object([.init(member, .array($0.map(write)))]))
        } read: { object, _ throws(ModelError) in
            try object.objects(member).map(read)
        }
    }
}

extension EndpointAnswer where Output: FieldDescribed {
    /// Settings; `schema` is their name among the components of the description.
    static func settings(_ schema: String, _ description: String) -> Self {
        Self(descriptions: [.json(schema, description)]) {
            Response(SettingsDocument($0).json)
        } read: { object, _ throws(ModelError) in
            try SettingsDocument<Output>(object).settings
        }
    }
}

extension EndpointAnswer {
    /// An object that a change creates, and that is shown only once.
    static func shown(
        _ schema: String,
        _ description: String,
        write: @escaping @Sendable (Output) -> JSONValue,
        read: @escaping @Sendable (NativeObject) throws(ModelError) -> Output
    ) -> Self {
        Self(descriptions: [.json(schema, description, status: 201)]) {
            Response(write($0), status: .created)
        } read: { object, _ throws(ModelError) in
            try read(object)
        }
    }
}

/// A document with the version of what it shows: the position of its last change.
package struct Versioned<Document: APIDocument>: Sendable {
    package var document: Document
    /// Nil if the answer of a service named none.
    package var version: UInt64?

    init(_ document: Document, version: UInt64?) {
        (self.document, self.version) = (document, version)
    }
}

extension EndpointAnswer {
    /// A document with its version as an entity tag.
    static func versioned<Document: APIDocument>(_ schema: String, _ description: String) -> Self
    where Output == Versioned<Document> {
        Self(descriptions: [.json(schema, description, headers: [.eTag])]) {
            let response = Response($0.document.json)
            return $0.version.map(response.tagged) ?? response
        } read: { object, version throws(ModelError) in
            Versioned(try Document(object), version: version)
        }
    }
}

extension EndpointAnswer where Output == WriteResult {
    /// The result of a change that creates something, with its address if it has one: `path` followed by an id.
    static func created(
        _ description: String,
        at path: String,
        _ id: @escaping @Sendable (WriteResult) -> UUID?
    ) -> Self {
        Self([.json("Written", description, status: 201, headers: [.eTag, .location])]) { result in
            result.response(.created, location: id(result).map { path + $0.text })
        }
    }

    /// The result of a change that creates something without an address of its own.
    static func created(_ description: String) -> Self {
        Self([.json("Written", description, status: 201, headers: [.eTag])]) { $0.response(.created) }
    }

    /// The result of a change.
    static let written = Self([.written]) { $0.response() }

    /// The result of a change with members of its own; `schema` is its name among the components of the description.
    static func written(_ schema: String, _ description: String) -> Self {
        Self([.json(schema, description, headers: [.eTag])]) { $0.response() }
    }

    init(_ descriptions: [AnswerDescription], write: @escaping @Sendable (WriteResult) -> Response) {
        self.init(descriptions: descriptions, write: write) { object, version throws(ModelError) in
            try WriteResult(object, version: version)
        }
    }
}
