import HealthModel
import Interchange

extension OpenAPI {
    static let caregiverSchemas: [JSONValue.Member] = [
        .init("GrantTerms", terms),
        .init("Granted", shown(["account", "sections", "verbs"], [])),
        .init(
            "Grant",
            shown(
                ["account", "sections", "verbs", "grantedAt", "position", "active"],
                [
                    .init("name", ["type": "string"]), .init("grantedAt", JSONSchema.time),
                    .init("revokedAt", JSONSchema.time),
                    .init("position", JSONSchema.position),
                    .init("active", ["type": "boolean", "description": "Whether it lets anybody in today."]),
                ]
            )
        ),
        .init(
            "Grants",
            [
                "type": "object",
                "required": ["caregivers"],
                "properties": ["caregivers": ["type": "array", "items": reference("Grant")]],
                "additionalProperties": false,
            ]
        ),
    ]

    static let sections: JSONValue = ["enum": .array(Section.allCases.map { .string($0.name) })]
    static let verbs: JSONValue = ["enum": .array(Verb.allCases.map { .string($0.name) })]

    static let terms: JSONValue = [
        "type": "object",
        "description": "What is left out: all sections, to read, from now on.",
        "properties": [
            "sections": ["type": ["array", "null"], "items": sections, "minItems": 1],
            "verbs": ["type": ["array", "null"], "items": verbs, "minItems": 1],
            "from": ["anyOf": [JSONSchema.date, ["const": ""]], "description": "The first day."],
            "until": ["anyOf": [JSONSchema.date, ["const": ""]], "description": "The last day."],
        ],
        "additionalProperties": false,
    ]

    private static func shown(_ required: [String], _ more: [JSONValue.Member]) -> JSONValue {
        let members: [JSONValue.Member] = [
            .init("account", JSONSchema.identifier),
            .init("sections", ["type": "array", "items": sections]),
            .init("verbs", ["type": "array", "items": verbs]),
            .init("from", ["type": "string", "format": "date"]),
            .init("until", ["type": "string", "format": "date"]),
        ]
        return [
            "type": "object",
            "required": .array(required.map { .string($0) }),
            "properties": .object(members + more),
            "additionalProperties": false,
        ]
    }
}
