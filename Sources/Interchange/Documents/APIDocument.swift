package import HealthModel

/// A document that the HTTP API returns and that commands print as JSON: written, read and described in one place.
package protocol APIDocument: DocumentItem, Sendable {
    /// The JSON Schema of the document.
    static var schema: JSONValue { get }

    /// The document as JSON, with no other members than those of the schema.
    var json: JSONValue { get }

    /// Reads a document that a journal's own service returned.
    init(_ object: NativeObject) throws(ModelError)
}

extension JSONValue {
    /// Creates an object without the members that have no value.
    package static func present(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { member in member.value.map { Member(member.key, $0) } })
    }

    package static func time(_ instant: Instant) -> JSONValue { .string(instant.description) }

    /// The members of an object; none of any other value.
    package var members: [Member] { if case .object(let members) = self { members } else { [] } }
}

extension NativeObject {
    /// A member with documents of a type.
    package func documents<Document: APIDocument>(_ name: String) throws(ModelError) -> [Document] {
        var documents: [Document] = []
        for object in try objects(name) { documents.append(try Document(object)) }
        return documents
    }
}

extension JSONSchema {
    /// Describes an object with the given members and no others.
    package static func object(_ required: JSONValue, optional: JSONValue = [:]) -> JSONValue {
        [
            "type": "object", "required": .array(required.members.map { .string($0.name) }),
            "properties": .object(required.members + optional.members), "additionalProperties": false,
        ]
    }

    /// Describes a member that may also be null, which counts as absent.
    package static func orNull(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["type": "null"]]] }

    /// Describes a member that may also be null or an empty text, which count as absent.
    package static func orEmpty(_ schema: JSONValue) -> JSONValue { ["anyOf": [schema, ["enum": [.null, ""]]]] }

    /// Describes an amount as text, which no parser rounds: a decimal number, or a fraction such as `1/3` or `1 1/2`.
    package static let amountText: JSONValue = [
        "type": "string", "pattern": "^-?(?:[0-9]+(?:\\.[0-9]+)?|(?:[0-9]+ )?[0-9]+/[0-9]+)$",
    ]

    /// Describes one of the words of an enumeration.
    package static func word<Words: CaseIterable & RawRepresentable<String>>(of words: Words.Type) -> JSONValue {
        ["enum": .array(Words.allCases.map { .string($0.rawValue) })]
    }

    package static func array(of items: JSONValue) -> JSONValue { ["type": "array", "items": items] }

    /// Describes the wire name of one of the values of an enumeration.
    package static func name<Code: NamedCode>(of codes: Code.Type) -> JSONValue {
        ["enum": .array(Code.allCases.map { .string($0.name) })]
    }
}
