package import HealthModel

/// Descriptions of documents in JSON Schema (draft 2020-12), made from the same fields as all else.
///
/// A schema refuses no document that the journal takes. The journal looks more closely: whether a calendar has the day,
/// whether a decimal in quotes lies within its bounds, how many bytes (not characters) a text has.
package enum JSONSchema {
    package static let dialect = "https://json-schema.org/draft/2020-12/schema"
    /// The media type in which a schema is served.
    package static let mediaType = "application/schema+json"

    /// An entry as the journal shows it, and as it takes it: what only the journal can say is then left aside.
    package static func entry(of kind: Kind) -> JSONValue {
        document(
            id: "entries/\(kind.name)",
            title: kind.label,
            description: "An entry of the kind \(kind.name).",
            contentSchema(of: kind, besides: journalMembers)
        )
    }

    /// The `data` of an event that becomes an entry: the entry's own words and nothing else.
    package static func data(of kind: Kind) -> JSONValue {
        document(
            id: kind.eventType,
            title: "\(kind.label), logged",
            description: "The data of a CloudEvent of type \(kind.eventType).",
            contentSchema(of: kind, besides: [])
        )
    }

    static func document(
        id: String,
        title: String,
        description: String,
        _ schema: [JSONValue.Member]
    ) -> JSONValue {
        let head: [JSONValue.Member] = [
            .init("$schema", .string(dialect)), .init("$id", .string("/schemas/\(id)")), .init("title", .string(title)),
            .init("description", .string(description)),
        ]
        return .object(head + schema)
    }

    /// What an entry says, and what the journal says of it.
    static func contentSchema(of kind: Kind, besides others: [JSONValue.Member]) -> [JSONValue.Member] {
        let fields = kind.fields.map { JSONValue.Member($0.name, self.schema(of: $0)) }
        let properties = fields + commonMembers + others
        var schema: [JSONValue.Member] = [
            .init("type", .string("object")), .init("properties", .object(properties)),
            .init("additionalProperties", .bool(false)),
        ]
        let rules = kind.fields.flatMap { presence(of: $0) } + kind.exclusions.map { exclusion($0) }
        if !rules.isEmpty { schema.append(.init("allOf", .array(rules))) }
        return schema
    }
}
