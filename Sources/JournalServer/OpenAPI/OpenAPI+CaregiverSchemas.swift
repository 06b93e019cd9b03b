import HealthModel
import Interchange

extension OpenAPI {
    static let caregiverSchemas: [JSONValue.Member] = [
        .init("GrantTerms", terms),
        .init(
            "Grant",
            shown(
                ["account", "sections", "verbs", "grantedAt", "grantedBy", "position", "active"],
                [
                    .init("name", ["type": "string"]), .init("grantedByName", ["type": "string"]),
                    .init("grantedAt", JSONSchema.time),
                    .init("revokedAt", JSONSchema.time),
                    .init(
                        "grantedBy",
                        [
                            "allOf": [JSONSchema.identifier],
                            "description": "The account that gave the grant, or the invitation that was accepted.",
                        ]
                    ),
                    .init("position", JSONSchema.position),
                    .init("active", ["type": "boolean", "description": "Whether it gives access today."]),
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

    static let emergencyAfterEnd: JSONValue = [
        "type": ["boolean", "null"],
        "description": "Whether the caregiver may open the emergency view after the last day as well. False if absent.",
    ]

    static let terms: JSONValue = [
        "type": "object",
        "description": "Defaults: all sections, read only, from now on, without an end.",
        "properties": [
            "sections": ["type": ["array", "null"], "items": sections, "minItems": 1],
            "verbs": ["type": ["array", "null"], "items": verbs, "minItems": 1],
            "from": ["anyOf": [JSONSchema.date, ["const": ""]], "description": "The first day."],
            "until": ["anyOf": [JSONSchema.date, ["const": ""]], "description": "The last day."],
            "emergencyAfterEnd": emergencyAfterEnd,
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
            .init("emergencyAfterEnd", emergencyAfterEnd),
        ]
        return [
            "type": "object",
            "required": .array(required.map { .string($0) }),
            "properties": .object(members + more),
            "additionalProperties": false,
        ]
    }
}
