import HealthModel
import Interchange

extension OpenAPI {
    static let eventSchemas: [JSONValue.Member] = [
        .init("Event", event), .init("Access", access), .init("EventPage", page(of: "events", "Event")),
    ]

    private static let event: JSONValue = [
        "type": "object",
        "description": "A change of a record, or an access to it.",
        "required": ["position", "recordedAt", "type", "actor", "record"],
        "properties": [
            "position": JSONSchema.position,
            "recordedAt": JSONSchema.time,
            "clock": [
                "type": "string", "format": "date-time",
                "description":
                    "The time of the machine's clock, if it is before the recorded time (after an earlier fast clock).",
            ],
            "type": ["enum": .array(types.map { .string($0.name) })],
            "actor": identifier("The account that caused the event."),
            "actorName": ["type": "string", "description": "The name of that account."],
            "record": identifier("The record that the event concerns."),
            "entry": JSONSchema.identifier,
            "kind": ["enum": .array(Kind.all.map { .string($0.name) })],
            "reason": ["type": "string"],
            "data": ["type": "object", "description": "The data of the event; it depends on the type and the kind."],
        ],
        "additionalProperties": false,
        "allOf": .array(
            [data(of: [RecordRead.type, AccessDenied.type], reference("Access"))]
                + types.compactMap(data) + Kind.all.map(data)
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

    /// The schema of the data of an event that is defined by its fields; nil if it has no field in its JSON.
    private static func data(of type: EventType) -> JSONValue? {
        JSONSchema.data(of: type.definition).map { data(of: [type], $0) }
    }

    /// The schema of the data of an event that adds or corrects an entry.
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
            "right": reference("AccessRight"),
            "purpose": ["type": "string"],
            "version": [
                "type": "integer", "minimum": 0, "description": "The position as of which the record was shown.",
            ],
            "shown": [
                "type": "array",
                "description": """
                The entries that were shown, by kind: those added from the first to the last position; without the \
                positions, all of the kind.
                """,
                "items": [
                    "type": "object", "required": ["kind"], "additionalProperties": false,
                    "properties": [
                        "kind": ["type": "string"], "first": JSONSchema.position, "last": JSONSchema.position,
                    ],
                ],
            ],
            "includesRetracted": ["type": "boolean"],
            "events": [
                "type": "object", "required": ["first", "last"], "additionalProperties": false,
                "description": "For a history: the positions of the first and the last event that were shown.",
                "properties": ["first": JSONSchema.position, "last": JSONSchema.position],
            ],
        ],
        "additionalProperties": false,
    ]
}
