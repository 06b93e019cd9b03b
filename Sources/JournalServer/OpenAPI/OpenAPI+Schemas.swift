import HealthModel
import Interchange

/// Schemas of request and response bodies.
extension OpenAPI {
    static let schemas: [JSONValue.Member] =
        [
            .init("Problem", problemSchema), .init("Written", written), .init("Text", ["type": "string"]),
        ] + recordSchemas + Kind.all.flatMap(entrySchemas) + documentSchemas + eventSchemas + caregiverSchemas
        + peopleSchemas
        + sharingSchemas + importSchemas + doorSchemas + serviceSchemas + [
            .init("Costs", costs), .init("FoundEntry", foundEntry),
        ]

    private static let written: JSONValue = [
        "type": "object",
        "description": "The position of a change in the log, and the record, entry or account that it concerns.",
        "required": ["position", "changed"],
        "properties": [
            "position": JSONSchema.position, "record": JSONSchema.identifier, "entry": JSONSchema.identifier,
            "account": JSONSchema.identifier,
            "changed": ["type": "boolean", "description": "False if nothing had to be changed."],
        ],
        "additionalProperties": false,
    ]

    /// The schemas of an entry as sent or returned, of a stored entry, and of a page of stored entries.
    private static func entrySchemas(_ kind: Kind) -> [JSONValue.Member] {
        let name = schemaName(kind)
        let kept: JSONValue = [
            "allOf": [reference(name), ["required": ["id", "addedAt", "addedBy", "position"]]]
        ]
        return [
            .init(name, JSONSchema.part(JSONSchema.entry(of: kind))), .init("\(name)Kept", kept),
            .init("\(name)Page", page(of: "entries", "\(name)Kept")),
        ]
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

    private static let foundEntry: JSONValue = [
        "oneOf": .array(
            Kind.all.map { kind in
                object([
                    "record": JSONSchema.identifier, "kind": ["const": .string(kind.name)],
                    "entry": reference("\(schemaName(kind))Kept"),
                ])
            }
        )
    ]

    private static let costs: JSONValue = [
        "type": "object",
        "required": ["costs"],
        "properties": ["costs": ["type": "array", "items": costLine]],
        "additionalProperties": false,
    ]

    private static let costLine: JSONValue = [
        "type": "object",
        "required": ["record", "displayName", "year", "currency", "basis", "amount", "entries"],
        "properties": [
            "record": JSONSchema.identifier,
            "displayName": ["type": "string"],
            "year": ["type": "integer"],
            "currency": ["type": ["string", "null"]],
            "basis": ["enum": [.string(Cost.total), .string(Cost.item)]],
            "category": ["type": ["string", "null"]],
            "sumOfCategories": ["const": true, "description": "The line is the sum of the categories above it."],
            "amount": ["type": "string", "description": "Exact, without an exponent."],
            "entries": ["type": "integer", "minimum": 1, "description": "The number of entries in the sum."],
        ],
        "additionalProperties": false,
    ]
}
