import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Ingests the events of other tools: CloudEvents 1.0 over HTTP in all its modes, and NDJSON streams.
struct IngestRoutes {
    let journal: Journal
    let limits: IngestLimits
    let streams: ConcurrencyLimiter

    /// The largest size of one batch, in bytes.
    static let batchBytes = 8 << 20

    func add(to group: RouterGroup<ServerContext>) {
        group.post("events", use: append)
    }

    @Sendable private func append(_ request: Request, _ context: ServerContext) async throws -> Response {
        let stream = try Query(request, ["stream"]).stream
        let caller = try context.requireCaller()
        switch request.mediaType {
        case "application/cloudevents+json":
            let body = try await request.bytes(atMost: CloudEvent.maximumBytes)
            return try await one(CloudEvent.read(body), stream, caller)
        case "application/cloudevents-batch+json":
            let body = try await request.bytes(atMost: IngestRoutes.batchBytes)
            return try await batch(CloudEvent.readBatch(body), stream, caller)
        case "application/x-ndjson", "application/ndjson":
            let slot = try streams.acquire(for: caller.account)
            let lines = EventLines(request.body, silence: limits.silence)
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
        guard let answer = try await journal.append([event], stream: stream, caller).first?.get() else {
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
        let results = await journal.append(events, stream: stream, caller)
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

extension Request {
    /// The headers of an event in the binary mode; nil if the request has no such event.
    fileprivate var eventFields: [(name: String, value: String)]? {
        let fields = headers.map { (name: $0.name.canonicalName, value: $0.value) }
        return fields.contains { $0.name == "ce-specversion" } ? fields : nil
    }
}
