import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension RemoteJournal {
    /// Changes an entry only if it is still at the version that was read, so that no other change is overwritten.
    func change(
        _ method: ServiceRequest.Method,
        _ seen: EntryState,
        _ action: String? = nil,
        body: JSONValue? = nil
    ) async throws -> WriteResult {
        let path = RemoteJournal.path(of: seen) + (action.map { [$0] } ?? [])
        var request = ServiceRequest.write(method, at: path, query: reasonQuery, body: body)
        request.expecting = seen.latest.position
        return try await write(request)
    }

    static func path(of entry: EntryState) -> [String] {
        ["records", entry.record.text, "entries", entry.kind.name, entry.id.text]
    }

    /// Sends events as lines, and returns the result of each line.
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
        if case .string(let error)? = line["error"] {
            return .failure(JournalError(.invalid, Message(verbatim: error)))
        }
        guard case .number(let text)? = line["position"], let position = UInt64(text) else {
            return .failure(JournalError(.failed, "the service's answer does not contain the position of the line"))
        }
        var entry: UUID?
        if case .string(let id)? = line["entry"] { entry = UUID(uuidString: id) }
        return .success(IngestResult(position: position, entry: entry))
    }
}
