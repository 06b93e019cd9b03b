import HTTPTypes
import HealthModel
import Interchange

/// The door for other tools: events in, events out, and the schemas of both.
extension OpenAPI {
    static let doorOperations: [Operation] =
        [
            Operation(
                method: .post,
                path: "/v1/events",
                id: "sendEvents",
                summary: "Hand in events of another tool",
                description: """
                    An event is a CloudEvent 1.0: one in its JSON form, a batch, or one a line. It may come in the \
                    binary mode, too: its attributes in headers `ce-…`, its data the body, of whatever `Content-Type`. \
                    One whose type is listed at `/schemas` becomes an entry of the record that its `subject` names; any \
                    other is kept as it came, in a stream that `stream` names, or else its `source`.

                    `source` and `id` make it safe to send an event again; no other key is needed, or heeded. Each line \
                    is answered by a line as soon as it is durable, while the request still goes on: \
                    `{"id": …, "position": …}`, with `entry` if it became one, or `{"line": …, "error": …}`. A stream \
                    of lines in which nothing comes for a while is ended; what was answered is kept.
                    """,
                tag: .door,
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
                            "Taken; the same event again is answered alike. `Location` is where the entry is, if any.",
                        content: [("application/json", "TakenEvent")],
                        headers: [.eTag],
                        optionalHeaders: [.location]
                    ),
                    AnswerDescription(
                        description:
                            "All events of a batch were taken, or each line is answered by a line as it is durable.",
                        content: [("application/json", "TakenEvents"), ("application/x-ndjson", "Lines")]
                    ),
                    .json("TakenEvents", "Some events of a batch were taken, and some refused.", status: 207),
                ],
                problems: [.refused, .notFound, .conflict, .erased]
            ),
            Operation(
                method: .get,
                path: "/v1/events",
                id: "followEvents",
                summary: "Read the events of the log that the account may see, a page at a time or as they come",
                description: """
                    A page is a line an event, each a CloudEvent 1.0. With `Accept: text/event-stream` events are sent \
                    as they come, from the end of the log on, or behind `after` or `Last-Event-ID`; the stream ends \
                    with an event `problem` when the account may no longer see what it saw. An account has so many \
                    streams open at once, and so has the service; one more is answered with 429.
                    """,
                tag: .door,
                parameters: [.after, .stream, .types, .limit, .lastEventID],
                answers: [
                    AnswerDescription(
                        description: "Events. `Link` says where the next page begins.",
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
                summary: "List the JSON Schemas of entries and of the events that become them",
                tag: .door,
                answers: [.json("SchemaList", "Where they are, kind by kind.")],
                problems: [.invalid],
                isPublic: true
            ),
            Operation(
                method: .get,
                path: "/schemas/{type}",
                id: "showEventSchema",
                summary: "Show the schema of an event's data, or, with `.event` behind its type, of the whole event",
                tag: .door,
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
                tag: .door,
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
            .init("Lines", ["description": "Documents in JSON, one a line. A line that is none is answered as such."]),
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
