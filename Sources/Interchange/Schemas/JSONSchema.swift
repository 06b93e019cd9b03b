package import HealthModel

/// JSON Schemas (draft 2020-12) of documents, generated from the field descriptions.
///
/// A schema rejects no document that the journal accepts. The journal checks more: whether the calendar has a day,
/// whether a decimal in a string is within its bounds, and the size of a text in bytes (not characters).
package enum JSONSchema {
    package static let dialect = "https://json-schema.org/draft/2020-12/schema"
    /// The media type in which a schema is served.
    package static let mediaType = "application/schema+json"

    /// The schema of an entry as the journal returns it and accepts it; in requests, the journal's metadata is ignored.
    package static func entry(of kind: Kind) -> JSONValue {
        document(
            id: "entries/\(kind.name)",
            title: kind.label,
            description: "An entry of the kind \(kind.name).",
            contentSchema(of: kind, besides: journalMembers)
        )
    }

    /// The schema of the `data` of an event that becomes an entry, without the journal's metadata.
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

    /// The schema of an entry's content, with other members such as the journal's metadata.
    static func contentSchema(of kind: Kind, besides others: [JSONValue.Member]) -> [JSONValue.Member] {
        let fields = kind.fields.map { JSONValue.Member($0.name, self.schema(of: $0)) }
        var properties = fields + commonMembers + others
        var schema: [JSONValue.Member] = [.init("type", .string("object"))]
        if kind.requiresTime {
            for index in properties.indices where properties[index].name == "date" {
                properties[index].value = sentTime
            }
            schema.append(.init("required", ["date"]))
        }
        schema += [.init("properties", .object(properties)), .init("additionalProperties", .bool(false))]
        let rules = kind.fields.flatMap { presence(of: $0) } + kind.exclusions.map { exclusion($0) }
        if !rules.isEmpty { schema.append(.init("allOf", .array(rules))) }
        return schema
    }
}
