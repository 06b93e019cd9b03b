import HealthModel
import Interchange

extension OpenAPI {
    static let eventSchemas: [JSONValue.Member] = [
        .init("Event", event), .init("Access", access), .init("EventPage", page(of: "events", "Event")),
    ]

    private static let event: JSONValue = [
        "type": "object",
        "description": "Something that became of a record, or somebody's look at it.",
        "required": ["position", "recordedAt", "type", "actor", "record"],
        "properties": [
            "position": JSONSchema.position,
            "recordedAt": JSONSchema.time,
            "type": ["enum": .array(types.map { .string($0.name) })],
            "actor": identifier("The account that did it."),
            "actorName": ["type": "string", "description": "What that account is called."],
            "record": identifier("What it was about."),
            "entry": JSONSchema.identifier,
            "kind": ["enum": .array(Kind.all.map { .string($0.name) })],
            "reason": ["type": "string"],
            "data": ["type": "object", "description": "What the event says; it depends on its type and its kind."],
        ],
        "additionalProperties": false,
        "allOf": .array(
            [
                data(of: [.recordRead, .accessDenied], reference("Access")),
                data(of: [.caregiverGranted], reference("Granted")),
            ] + Kind.all.map(data)
        ),
    ]

    private static let types = EventType.allCases.filter { [.record, .entry, .grant, .access].contains($0.category) }

    private static func identifier(_ description: JSONValue) -> JSONValue {
        ["allOf": [JSONSchema.identifier], "description": description]
    }

    private static func data(of types: [EventType], _ schema: JSONValue) -> JSONValue {
        [
            "if": ["properties": ["type": ["enum": .array(types.map { .string($0.name) })]]],
            "then": ["required": ["data"], "properties": ["data": schema]],
        ]
    }

    /// What an event that adds or corrects an entry says.
    private static func data(of kind: Kind) -> JSONValue {
        [
            "if": ["required": ["kind"], "properties": ["kind": ["const": .string(kind.name)]]],
            "then": ["required": ["data"], "properties": ["data": reference(schemaName(kind))]],
        ]
    }

    private static let access: JSONValue = [
        "type": "object",
        "required": ["action", "sections", "entries"],
        "properties": [
            "action": ["enum": .array(AccessAction.allCases.map { .string($0.rawValue) })],
            "sections": ["type": "array", "items": ["enum": .array(Section.allCases.map { .string($0.name) })]],
            "entries": ["type": "integer", "minimum": 0, "description": "How many entries were shown."],
            "asOf": ["type": "integer", "minimum": 0],
            "happenedBy": ["type": "string", "format": "date"],
            "right": ["type": "string", "description": "By what right; missing where there was none."],
            "purpose": ["type": "string"],
        ],
        "additionalProperties": false,
    ]
}
