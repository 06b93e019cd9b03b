import HealthModel
import Interchange

extension OpenAPI {
    static let recordSchemas: [JSONValue.Member] = [
        .init("HumanProfile", JSONSchema.profile(of: .human)),
        .init("AnimalProfile", JSONSchema.profile(of: .animal)),
        .init("NewRecord", ["anyOf": [new("human", "HumanProfile"), new("animal", "AnimalProfile")]]),
        .init("RecordPatch", recordPatch),
        .init("RecordSummary", summary),
        .init("RecordPage", page(of: "records", "RecordSummary")),
        .init("ShownHumanProfile", JSONSchema.shownProfile(of: .human)),
        .init("ShownAnimalProfile", JSONSchema.shownProfile(of: .animal)),
        .init("Record", ["anyOf": [record("human", "ShownHumanProfile"), record("animal", "ShownAnimalProfile")]]),
        .init("RecordAccess", access),
        .init("AsOf", asOf),
        .init("RecordEntries", entries),
        .init("Copy", ["type": "object", "description": "A record in the requested format."]),
        .init("Erasure", erasure), .init("Hold", hold),
    ]

    private static func new(_ subject: JSONValue, _ profile: String) -> JSONValue {
        [
            "type": "object",
            "required": ["subject"],
            "properties": [
                "subject": ["const": subject],
                "profile": reference(profile),
                "id": [
                    "anyOf": [JSONSchema.identifier, ["type": "null"]],
                    "description": "An id chosen by the client; otherwise the journal generates one.",
                ],
            ],
            "additionalProperties": false,
        ]
    }

    private static let recordPatch: JSONValue = [
        "type": "object",
        "description":
            "The fields are those of the record's subject. Null removes a value; an absent field stays unchanged.",
        "properties": ["profile": ["anyOf": [reference("HumanProfile"), reference("AnimalProfile")]]],
        "additionalProperties": false,
    ]

    private static let stamps: [JSONValue.Member] = [
        .init("id", JSONSchema.identifier), .init("displayName", ["type": "string"]),
        .init("createdAt", JSONSchema.time), .init("updatedAt", JSONSchema.time), .init("closedAt", JSONSchema.time),
    ]

    private static let summary: JSONValue = [
        "type": "object",
        "required": ["id", "displayName", "subject", "createdAt", "updatedAt"],
        "properties": .object(stamps + [.init("subject", ["enum": ["human", "animal"]])]),
        "additionalProperties": false,
    ]

    private static func record(_ subject: JSONValue, _ profile: String) -> JSONValue {
        let members: [JSONValue.Member] = [
            .init("format", ["const": .string(NativeDocument.format)]),
            .init("asOf", reference("AsOf")),
            .init("subject", ["const": subject]), .init("heldUntil", ["type": "string"]),
            .init("profile", reference(profile)),
            .init("access", reference("RecordAccess")), .init("entries", reference("RecordEntries")),
        ]
        return [
            "type": "object",
            "required": [
                "format", "id", "subject", "displayName", "createdAt", "updatedAt", "profile", "entries",
            ],
            "properties": .object(stamps + members),
            "additionalProperties": false,
        ]
    }

    private static let asOf: JSONValue = [
        "type": "object",
        "description": "The last event that is included.",
        "required": ["position", "recordedAt"],
        "properties": ["position": JSONSchema.position, "recordedAt": JSONSchema.time],
        "additionalProperties": false,
    ]

    private static let entries: JSONValue = [
        "type": "object",
        "properties": .object(
            Kind.all.map { .init($0.name, ["type": "array", "items": reference("\(schemaName($0))Kept")]) }
        ),
        "additionalProperties": false,
    ]

    private static let hold: JSONValue = object([
        "until": ["allOf": [JSONSchema.date, ["type": "string"]], "description": "The last day of the hold."],
        "reason": reason,
    ])

    private static let access: JSONValue = object(
        [
            "right": AccessRight.schema,
            "sections": ["type": "array", "items": JSONSchema.name(of: Section.self)],
            "profile": [
                "type": "boolean",
                "description":
                    "Whether the whole profile is shown; if not, a name, and in an emergency a date of birth.",
            ],
        ]
    )
    .merging(["description": "The right by which the record is shown, and the part that it covers."])

    private static let erasure: JSONValue = object(["reason": reason])

    private static let reason: JSONValue = [
        "allOf": [JSONSchema.plainText(maximum: Limits.reason), ["pattern": "\\S"]],
        "description": "The reason; stored permanently, so that the erasure can be explained later.",
    ]
}
