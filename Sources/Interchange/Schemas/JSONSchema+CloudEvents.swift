package import HealthModel

/// Schemas of external events, in the JSON format of CloudEvents 1.0.
extension JSONSchema {
    /// The schema of a whole event that becomes an entry.
    package static func cloudEvent(of kind: Kind) -> JSONValue {
        let own: [JSONValue.Member] = [
            .init("type", .members(("const", .string(kind.eventType)))),
            .init("subject", id.noting("The id of the record.")),
            .init("data", .object(contentSchema(of: kind, besides: []))),
        ]
        return document(
            id: "\(kind.eventType).event",
            title: "\(kind.label), logged",
            description: "A CloudEvent that becomes an entry of the kind \(kind.name).",
            event(own, required: ["subject"]) + [
                .init("oneOf", [["required": ["data"]], ["required": ["data_base64"]]])
            ]
        )
    }

    /// The schema of the data of an event that concerns a practice.
    package static func data(of event: ClinicEvent) -> JSONValue {
        document(id: event.rawValue, title: event.title, description: event.summary, event.dataSchema.members)
    }

    /// The schema of a whole event that concerns a practice.
    package static func cloudEvent(of known: ClinicEvent) -> JSONValue {
        let own: [JSONValue.Member] = [
            .init("type", .members(("const", .string(known.rawValue)))),
            .init("subject", id.noting("The id of the record.")), .init("data", known.dataSchema),
        ]
        return document(
            id: "\(known.rawValue).event",
            title: known.title,
            description: known.summary,
            event(own, required: ["subject"]) + [
                .init("oneOf", [["required": ["data"]], ["required": ["data_base64"]]])
            ]
        )
    }

    /// The schema of a whole event of a type that the journal does not know and stores as received.
    package static var otherCloudEvent: JSONValue {
        let known = JSONValue.members(
            ("enum", .array((Kind.all.map(\.eventType) + ClinicEvent.allCases.map(\.rawValue)).map { .string($0) }))
        )
        let own: [JSONValue.Member] = [
            .init("type", word.adding("not", known)),
            .init("subject", attribute),
            // Not `true`, which means the same: generators of clients expect an object.
            .init("data", [:]),
        ]
        let both: JSONValue = ["required": ["data", "data_base64"]]
        return .object(event(own, required: []) + [.init("not", both)])
    }

    /// The schema of the name of an external event stream.
    package static var streamName: JSONValue { name(maximum: Limits.streamName).adding("minLength", .integer(1)) }

    private static func event(_ own: [JSONValue.Member], required: [String]) -> [JSONValue.Member] {
        let properties: [JSONValue.Member] = [
            .init("specversion", .members(("const", .string("1.0")))),
            .init("id", word.noting("The same event sent again has the same id, and is logged once.")),
            .init("source", source),
            .init("time", optionalMoment.noting("When it happened, if data has no date.")),
            .init("datacontenttype", dataType),
            .init("dataschema", uri),
            .init("data_base64", base64.noting("The data as bytes, instead of `data`.")),
        ]
        return [
            .init("type", .string("object")),
            .init("required", .array((["specversion", "type", "source", "id"] + required).map { .string($0) })),
            .init("properties", .object(properties + own)),
            // Extension attributes.
            .init("propertyNames", .members(("pattern", .string("^(?:[a-z0-9]+|data_base64)$")))),
            .init(
                "additionalProperties",
                .members(
                    ("type", types("string", "boolean", "integer", "null")),
                    ("minimum", .integer(Int32.min)),
                    ("maximum", .integer(Int32.max))
                )
            ),
        ]
    }

    /// Excludes control characters, which the texts of attributes must not contain.
    private static let clean = "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
    private static let word = JSONValue.members(("type", .string("string")), ("pattern", .string(clean)))
    private static let attribute = JSONValue.members(("type", types("string", "null")), ("pattern", .string(clean)))

    private static let uriSign = "(?:[-A-Za-z0-9._~:/?#@!$&'()*+,;=]|\\[|\\]|%[0-9A-Fa-f]{2})"
    private static let source = JSONValue.members(("type", .string("string")), ("pattern", .string("^\(uriSign)+$")))
        .noting("A URI reference; together with the id it identifies the event permanently.")
    private static let uri = JSONValue.members(
        ("type", types("string", "null")),
        ("pattern", .string("^\(uriSign)*:\(uriSign)*$"))
    )

    private static let base64 = JSONValue.members(
        ("type", .string("string")),
        ("pattern", .string("^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"))
    )

    private static let token = "[-A-Za-z0-9!#$&^_.+*'`|~%]+"
    private static let dataType = JSONValue.members(
        ("type", types("string", "null")),
        ("pattern", .string("^\(token)/\(token) *(?:;[ -~]*)?$"))
    )
}
