import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Ingests the events of other tools: CloudEvents 1.0 over HTTP in all its modes, and NDJSON streams.
struct IngestRoutes: Routes {
    let services: Services

    /// The largest size of one batch, in bytes.
    static let batchBytes = 8 << 20

    static let operations: [Operation] = [
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
                examples: eventExamples,
                others: [
                    BodyDescription(
                        mediaTypes: ["application/cloudevents-batch+json"],
                        schema: "CloudEventBatch",
                        examples: batchExamples
                    ),
                    BodyDescription(
                        mediaTypes: ["application/x-ndjson", "application/ndjson"],
                        schema: "Lines",
                        examples: lineExamples
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
            problems: [.refused, .notFound, .conflict, .erased],
            handler: append
        )
    ]

    private func append(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let stream = try query.stream
        let caller = try context.requireCaller()
        switch request.mediaType {
        case "application/cloudevents+json":
            let body = try await request.bytes(atMost: CloudEvent.maximumBytes)
            return try await one(CloudEvent.read(body), stream, caller)
        case "application/cloudevents-batch+json":
            return try await services.long.run(services.long.batches, context) {
                let body = try await request.bytes(atMost: IngestRoutes.batchBytes)
                return try await batch(CloudEvent.readBatch(body), stream, caller)
            }
        case "application/x-ndjson", "application/ndjson":
            let slot = try services.streams.acquire(for: caller.account)
            let lines = EventLines(request.body, silence: services.ingest.silence)
            return try await EventStream(journal, context, stream: stream, slot).response(to: lines)
        default:
            guard let fields = request.eventFields else {
                try request.requireMediaType([
                    "application/cloudevents+json", "application/cloudevents-batch+json", "application/x-ndjson",
                ])
                throw Problem(
                    "media-type",
                    .unsupportedMediaType,
                    "must be a media type of CloudEvents",
                    field: "Content-Type"
                )
            }
            let body = try await request.bytes(atMost: CloudEvent.maximumBytes)
            return try await one(CloudEvent.read(headers: fields, body: body), stream, caller)
        }
    }

    private func one(_ event: CloudEvent, _ stream: String?, _ caller: Caller) async throws -> Response {
        guard let answer = try await journal.ingest.append([event], stream: stream, caller).first?.get() else {
            throw JournalError(.failed, "there is no result for the event")
        }
        // The same event sent again gets an identical response.
        var response = Response(.object([.init("id", .string(event.id))] + answer.members), status: .created)
            .tagged(answer.position)
        if let record = answer.record, let entry = answer.entry, let kind = event.kind {
            response.headers[.location] = "/v1/records/\(record.text)/entries/\(kind.name)/\(entry.text)"
        }
        return response
    }

    /// Appends each event separately, in order: accepted events stay, even if others fail.
    private func batch(_ events: [CloudEvent], _ stream: String?, _ caller: Caller) async throws -> Response {
        let results = await journal.ingest.append(events, stream: stream, caller)
        let failures = results.compactMap { if case .failure(let error) = $0 { error } else { nil } }
        if failures.count == events.count, let first = failures.first, failures.allSatisfy({ $0.code == first.code }),
            first.code != .invalid
        {
            throw first
        }
        let answers = zip(events, results)
            .map { event, result in
                switch result {
                case .success(let answer): JSONValue.object([.init("id", .string(event.id))] + answer.members)
                case .failure(let error):
                    JSONValue.object([.init("id", .string(event.id)), .init("problem", Problem(error).json)])
                }
            }
        let status = failures.isEmpty ? .ok : HTTPResponse.Status(code: 207, reasonPhrase: "Multi-Status")
        return Response(.object([.init("events", .array(answers))]), status: status)
    }
}

extension IngestRoutes {
    static let schemas: [JSONValue.Member] =
        Kind.all.map { .init("\(OpenAPI.schemaName($0))Logged", JSONSchema.part(JSONSchema.cloudEvent(of: $0))) } + [
            .init(
                "CloudEvent",
                [
                    "anyOf": .array(
                        [OpenAPI.reference("OtherEvent")]
                            + Kind.all.map { OpenAPI.reference("\(OpenAPI.schemaName($0))Logged") }
                            + [OpenAPI.reference("VitalsLogged"), OpenAPI.reference("AppointmentRequested")]
                    )
                ]
            ),
            .init("OtherEvent", JSONSchema.otherCloudEvent),
            .init("VitalsLogged", JSONSchema.part(JSONSchema.cloudEvent(of: .vitalsLogged))),
            .init("AppointmentRequested", JSONSchema.part(JSONSchema.cloudEvent(of: .appointmentRequested))),
            .init(
                "CloudEventBatch",
                [
                    "type": "array", "maxItems": .integer(CloudEvent.maximumBatch),
                    "items": OpenAPI.reference("CloudEvent"),
                ]
            ),
            .init("TakenEvent", takenEvent),
            .init("TakenEvents", OpenAPI.list("events", ["anyOf": [OpenAPI.reference("TakenEvent"), refusedEvent]])),
        ]

    private static let takenEvent = OpenAPI.object(
        ["id": ["type": "string"], "position": JSONSchema.position],
        optional: ["entry": JSONSchema.identifier]
    )
    private static let refusedEvent = OpenAPI.object([
        "id": ["type": "string"], "problem": OpenAPI.reference("Problem"),
    ])

    private static let eventExamples: [Example] = [
        (
            "other",
            [
                "specversion": "1.0", "id": "2024-02-16/1", "source": "/kitchen/clock", "type": "org.example.tick",
                "data": ["seconds": 3],
            ]
        )
    ]

    private static let batchExamples: [Example] = [("two", .array(ticks))]

    /// NDJSON lines as they appear in the body.
    private static let lineExamples: [Example] = [
        ("two", .string(ticks.map { JSONWriter.text($0) + "\n" }.joined()))
    ]

    private static let ticks: [JSONValue] = [
        ["specversion": "1.0", "id": "2024-02-16/2", "source": "/kitchen/clock", "type": "org.example.tick"],
        ["specversion": "1.0", "id": "2024-02-16/3", "source": "/kitchen/clock", "type": "org.example.tock"],
    ]
}

extension Request {
    /// The headers of an event in the binary mode; nil if the request has no such event.
    fileprivate var eventFields: [(name: String, value: String)]? {
        let fields = headers.map { (name: $0.name.canonicalName, value: $0.value) }
        return fields.contains { $0.name == "ce-specversion" } ? fields : nil
    }
}
