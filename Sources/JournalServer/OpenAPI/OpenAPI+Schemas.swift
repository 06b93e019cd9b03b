import HealthModel
import Interchange

/// Schemas of request and response bodies that several routes use.
extension OpenAPI {
    /// The schemas of all groups of routes, after those that several groups refer to.
    static let schemas: [JSONValue.Member] =
        [
            .init("Problem", problemSchema), .init("Written", written), .init("Text", ["type": "string"]),
            .init("Bytes", ["description": "Bytes of any kind."]),
            .init("Lines", ["description": "JSON documents, one per line. An invalid line is answered with an error."]),
        ] + documentSchemas + recordSchemas + eventSchemas + peopleSchemas + sharingSchemas
        + routes.flatMap { $0.schemas }

    /// The documents that the routes and the commands share.
    private static let documentSchemas: [JSONValue.Member] = [
        .init("AccessRight", AccessRight.schema), .init("Account", AccountDocument.schema),
        .init("GrantTerms", GrantTerms.requestSchema), .init("Grant", GrantDocument.schema),
        .init("Identity", IdentityDocument.schema), .init("Invitation", InvitationDocument.schema),
        .init("InvitationPreview", InvitationPreviewDocument.schema), .init("Notice", NoticeDocument.schema),
        .init("Owner", OwnerDocument.schema), .init("Token", TokenDocument.schema),
        .init("PlannedDoses", PlannedDosesDocument.schema), .init("Adherence", AdherenceDocument.schema),
        .init("Stock", StockDocument.schema), .init("DoseRequest", DoseRequest.schema),
        .init("SnoozeRequest", SnoozeRequest.schema),
    ]

    /// An object schema with the given members and no others.
    static func object(_ required: JSONValue, optional: JSONValue = [:]) -> JSONValue {
        JSONSchema.object(required, optional: optional)
    }

    /// The schema of a list that is sent without paging, in a member with the given name.
    static func list(_ name: String, _ item: JSONValue) -> JSONValue {
        object(.object([.init(name, JSONSchema.array(of: item))]))
    }

    static func list(_ name: String, of schema: String) -> JSONValue { list(name, reference(schema)) }

    private static let written = written(
        "The position of a change in the log, and the record, entry or account that it concerns."
    )

    /// The schema of the answer to a change, with additional members.
    static func written(_ description: String, and more: JSONValue = [:]) -> JSONValue {
        object(
            [
                "position": JSONSchema.position,
                "changed": ["type": "boolean", "description": "False if nothing had to be changed."],
            ],
            optional: .object(
                [
                    .init("record", JSONSchema.identifier), .init("entry", JSONSchema.identifier),
                    .init("account", JSONSchema.identifier),
                ] + (more["id"] == nil ? [.init("id", JSONSchema.identifier)] : []) + more.members
            )
        )
        .merging(["description": .string(description)])
    }

    /// Returns an object schema in which a property refers to a schema of its own, for which generators make one type.
    static func referring(_ schema: JSONValue, at property: String, to name: String) -> JSONValue {
        .object(
            schema.members.map { member in
                guard member.name == "properties" else { return member }
                let properties = member.value.members.map {
                    $0.name == property ? .init(property, reference(name)) : $0
                }
                return .init("properties", .object(properties))
            }
        )
    }

    /// The schema of a page of a list: its items, and the cursor of the next page.
    static func page(of name: String, _ schema: String) -> JSONValue {
        [
            "type": "object",
            "required": [.string(name), "nextCursor"],
            "properties": .object([
                .init(name, ["type": "array", "items": reference(schema)]),
                .init(
                    "nextCursor",
                    [
                        "type": ["string", "null"],
                        "pattern": "^[0-9]+$",
                        "description": "The `cursor` of the next page; null if there is none.",
                    ]
                ),
            ]),
            "additionalProperties": false,
        ]
    }
}
