import HTTPTypes
import HealthModel
import Interchange

/// Operations of the ingest interface: events in, events out, and the schemas of both.
extension OpenAPI {
    static let doorOperations: [Operation] =
        [
            Operation(
                method: .post,
                path: "/v1/events",
                id: "sendEvents",
                summary: "Append events of another tool",
                description: """
                    An event is a CloudEvent 1.0: one in its JSON form, a batch, or one per line. The binary mode is \
                    accepted, too: attributes in headers `ce-…`, data in the body, with any `Content-Type`. An event \
                    whose type is listed at `/schemas` becomes an entry of the record that its `subject` names; any \
                    other is stored unchanged, in the stream that `stream` or, without it, its `source` names.

                    `source` and `id` make it safe to send an event again; other keys are not needed and are ignored. \
                    Each line is answered by a line as soon as it is durable, while the request continues: \
                    `{"id": …, "position": …}`, with `entry` if it became one, or `{"line": …, "error": …}`. A stream \
                    of lines is ended if nothing is received for a while; lines that were answered stay recorded.
                    """,
                tag: .ingest,
                parameters: [.stream],
                body: BodyDescription(
                    mediaTypes: ["application/cloudevents+json"],
                    schema: "CloudEvent",
                    examples: Examples.cloudEvents,
                    others: [
                        BodyDescription(
                            mediaTypes: ["application/cloudevents-batch+json"],
                            schema: "CloudEventBatch",
                            examples: Examples.batches
                        ),
                        BodyDescription(
                            mediaTypes: ["application/x-ndjson", "application/ndjson"],
                            schema: "Lines",
                            examples: Examples.lines
                        ),
                    ]
                ),
                answers: [
                    AnswerDescription(
                        status: 201,
                        description:
                            "Recorded; a retry gets the same response. `Location` is the address of the entry, if any.",
                        content: [("application/json", "TakenEvent")],
                        headers: [.eTag],
                        optionalHeaders: [.location]
                    ),
                    AnswerDescription(
                        description:
                            "All events of a batch were recorded, or each line is answered once it is durable.",
                        content: [("application/json", "TakenEvents"), ("application/x-ndjson", "Lines")]
                    ),
                    .json("TakenEvents", "Some events of a batch were recorded, and some refused.", status: 207),
                ],
                problems: [.refused, .notFound, .conflict, .erased]
            ),
            Operation(
                method: .get,
                path: "/v1/events",
                id: "followEvents",
                summary: "Read the events of the log that the account may see, by page or as they are recorded",
                description: """
                    A page has one line per event, each a CloudEvent 1.0. With `Accept: text/event-stream` events are \
                    sent as they are recorded, from the end of the log, or after `after` or `Last-Event-ID`; the \
                    stream ends with an event `problem` when the account loses access to what it saw. The open streams \
                    of an account and of the service are limited; one more is answered with 429.
                    """,
                tag: .ingest,
                parameters: [.after, .stream, .types, .limit, .lastEventID],
                answers: [
                    AnswerDescription(
                        description: "Events. `Link` is the address of the next page.",
                        content: [("application/x-ndjson", "Lines"), ("text/event-stream", "Text")],
                        optionalHeaders: [.link]
                    )
                ],
                problems: [.refused, .notFound, .erased]
            ),
            Operation(
                method: .get,
                path: "/schemas",
                id: "listSchemas",
                summary: "List the JSON Schemas of entries and of the events that create them",
                tag: .ingest,
                answers: [.json("SchemaList", "The addresses of the schemas, by kind.")],
                problems: [.invalid],
                isPublic: true
            ),
            Operation(
                method: .get,
                path: "/schemas/{type}",
                id: "showEventSchema",
                summary: "Show the schema of an event's data, or, with `.event` after its type, of the whole event",
                tag: .ingest,
                answers: [schemaAnswer],
                problems: [.invalid, .notFound],
                isPublic: true
            ),
        ]
        + Kind.all.map { kind in
            Operation(
                method: .get,
                path: "/schemas/entries/\(kind.name)",
                id: "show\(schemaName(kind))Schema",
                summary: "Show the schema of an entry: \(kind.name)",
                tag: .ingest,
                answers: [schemaAnswer],
                problems: [.invalid],
                isPublic: true
            )
        }

    private static let schemaAnswer = AnswerDescription(
        description: "A JSON Schema (draft 2020-12).",
        content: [("application/schema+json", "JSONSchema")]
    )

    static let doorSchemas: [JSONValue.Member] =
        Kind.all.map { .init("\(schemaName($0))Logged", JSONSchema.part(JSONSchema.cloudEvent(of: $0))) } + [
            .init(
                "CloudEvent",
                ["anyOf": .array([reference("OtherEvent")] + Kind.all.map { reference("\(schemaName($0))Logged") })]
            ),
            .init("OtherEvent", JSONSchema.otherCloudEvent),
            .init(
                "CloudEventBatch",
                [
                    "type": "array", "maxItems": .integer(CloudEvent.maximumBatch), "items": reference("CloudEvent"),
                ]
            ),
            .init("Lines", ["description": "JSON documents, one per line. An invalid line is answered with an error."]),
            .init("TakenEvent", takenEvent),
            .init("TakenEvents", list("events", ["anyOf": [reference("TakenEvent"), refusedEvent]])),
            .init(
                "SchemaList",
                list(
                    "schemas",
                    object([
                        "kind": ["type": "string"], "type": ["type": "string"], "data": ["type": "string"],
                        "event": ["type": "string"], "entry": ["type": "string"],
                    ])
                )
            ),
            .init("JSONSchema", ["type": "object", "required": ["$schema", "$id"]]),
        ]

    private static let takenEvent = object(
        ["id": ["type": "string"], "position": JSONSchema.position],
        optional: ["entry": JSONSchema.identifier]
    )
    private static let refusedEvent = object(["id": ["type": "string"], "problem": reference("Problem")])
}
