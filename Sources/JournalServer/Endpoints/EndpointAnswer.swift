import HTTPTypes
import FoundationEssentials
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
        Self(descriptions: [.json(schema, description)]) {
            Response(.object([.init(member, .array($0.map(\.json)))]))
        } read: { object, _ throws(ModelError) in
            try object.documents(member)
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
    /// The result of a change that creates something, with its address if it is an entry.
    static func created(_ description: String, at address: (@Sendable (UUID) -> String)? = nil) -> Self {
        Self(descriptions: [
            .json("Written", description, status: 201, headers: address == nil ? [.eTag] : [.eTag, .location])
        ]) {
            let location = if let address, let entry = $0.entry { address(entry) } else { nil as String? }
            return $0.response(.created, location: location)
        } read: { object, version throws(ModelError) in
            try WriteResult(object, version: version)
        }
    }

    /// The result of a change.
    static var written: Self {
        Self(descriptions: [.written]) {
            $0.response()
        } read: { object, version throws(ModelError) in
            try WriteResult(object, version: version)
        }
    }
}
