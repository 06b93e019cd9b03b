import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension RemoteJournal {
    func addEntry(_ content: EntryContent, to record: UUID, id: UUID?) async throws -> WriteResult {
        try await write(
            .write(
                .post,
                "records",
                record.text,
                "entries",
                content.kind.name,
                query: reasonQuery + [("id", id?.text)],
                body: NativeDocument.write(content)
            )
        )
    }

    func entries(of record: UUID, _ kind: Kind?, _ moment: Moment, retracted: Bool) async throws -> [EntryState] {
        guard let kind else { return try await read(record, moment, retracted: retracted).state.entries }
        var query = moment.parameters
        if retracted { query.append(("retracted", "true")) }
        return try await pages(of: "entries", ["records", record.text, "entries", kind.name], query: query) {
            item throws(ModelError) in
            try NativeDocument.decode(item, of: kind, in: record)
        }
    }

    func correctEntry(
        _ entry: UUID,
        _ edit: (inout EntryContent) throws(ModelError) -> Void
    ) async throws -> WriteResult {
        let seen = try await found(entry)
        var content = seen.content
        try edit(&content)
        return try await change(.put, seen, body: NativeDocument.write(content))
    }

    func retractEntry(_ entry: UUID) async throws -> WriteResult { try await change(.delete, found(entry)) }

    func restoreEntry(_ entry: UUID) async throws -> WriteResult {
        try await change(.post, found(entry), "restore")
    }

    /// Changes an entry only if it is still at the version that was read, so that no other change is overwritten.
    private func change(
        _ method: ServiceRequest.Method,
        _ seen: EntryState,
        _ action: String? = nil,
        body: JSONValue? = nil
    ) async throws -> WriteResult {
        var request = ServiceRequest.write(method, query: reasonQuery, body: body)
        request.path = path(of: seen) + (action.map { [$0] } ?? [])
        request.expecting = seen.latest.position
        return try await write(request)
    }

    private func path(of entry: EntryState) -> [String] {
        ["records", entry.record.text, "entries", entry.kind.name, entry.id.text]
    }

    func history(ofEntry entry: UUID) async throws -> [RecordedEvent] {
        let path = try await path(of: found(entry)) + ["history"]
        return try await client.send(ServiceRequest(method: .get, path: path))
            .read { page throws(ModelError) in
                var events: [RecordedEvent] = []
                for item in try page.objects("events") {
                    let event = try NativeEvent.decode(item)
                    cacheName(try item.text("actorName"), of: event.stamp.actor)
                    events.append(event)
                }
                return events
            }
    }

    func attachDocument(_ bytes: [UInt8], _ content: EntryContent, to record: UUID) async throws -> WriteResult {
        var request = ServiceRequest.write(.post, "records", record.text, "documents", query: reasonQuery)
        request.body = .form(file: bytes, NativeDocument.write(content))
        return try await write(request)
    }

    func document(_ entry: UUID) async throws -> [UInt8] {
        let state = try await found(entry)
        guard state.kind == Document.kind else { throw JournalError.noFile }
        return try await client.send(ServiceRequest(method: .get, path: path(of: state) + ["content"])).bytes
    }

    func append(_ events: [CloudEvent], stream: String?) async throws -> [Result<IngestResult, JournalError>] {
        var request = ServiceRequest.get("events", query: [("stream", stream)])
        request.method = .post
        // An event is identified by its source and id, so the request can be repeated without a key of its own.
        request.key = ""
        request.body = ServiceRequest.Body(
            bytes: Array(events.map(\.original).joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")],
            mediaType: "application/x-ndjson"
        )
        let answer: ServiceAnswer
        do {
            answer = try await client.send(request)
        } catch let error as JournalError where error.code == .busy {
            try await Task.sleep(for: .seconds(error.retryAfter ?? 1))
            return events.map { _ in .failure(error) }
        }
        let lines = answer.bytes.split(separator: UInt8(ascii: "\n")).map { try? JSONReader.read(Array($0)) }
        return events.indices.map { index in
            guard index < lines.count, let line = lines[index] else {
                return .failure(JournalError(.failed, "the line was not answered"))
            }
            return RemoteJournal.answer(line)
        }
    }

    private static func answer(_ line: JSONValue) -> Result<IngestResult, JournalError> {
        if case .string(let error)? = line["error"] { return .failure(JournalError(.invalid, error)) }
        guard case .number(let text)? = line["position"], let position = UInt64(text) else {
            return .failure(JournalError(.failed, "the service's answer does not contain the position of the line"))
        }
        var entry: UUID?
        if case .string(let id)? = line["entry"] { entry = UUID(uuidString: id) }
        return .success(IngestResult(position: position, entry: entry))
    }
}
