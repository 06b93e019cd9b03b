internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import Interchange

/// What became of an event of another tool.
package struct ExternalAnswer: Hashable, Sendable {
    package let position: UInt64
    /// The same event had come before, and has its first position.
    package let isRepeated: Bool
}

extension Journal {
    /// Appends events of another tool as the bytes that came, in their order; each is answered by itself.
    ///
    /// The same source and id again have the first answer again. `stream` is by default each event's source.
    package func append(
        _ events: [CloudEvent],
        stream name: String? = nil,
        _ caller: Caller
    ) async -> [Result<ExternalAnswer, JournalError>] {
        let (answers, continuation) = AsyncStream.makeStream(of: (Int, Result<AppendResult, EventLogError>).self)
        var results: [Result<ExternalAnswer, JournalError>?] = Array(repeating: nil, count: events.count)
        var streams: [String: UUID] = [:]
        var waiting = 0
        do {
            try await admitAppend(caller)
        } catch {
            return events.map { _ in .failure(JournalError(error)) }
        }
        for (index, event) in events.enumerated() {
            do {
                let name = name ?? event.source
                // A stream's category stands before the first hyphen of its name.
                guard caller.scope.covers(String(name.prefix { $0 != "-" })) else {
                    throw try await refusal(of: caller, .contribute, because: TokenScope.refusal)
                }
                let stream = try streams[name] ?? external(name)
                streams[name] = stream
                // Each by itself: what was answered before a crash is then told apart from what was not.
                try change(with: event, name, stream, caller).enqueue { continuation.yield((index, $0)) }
                waiting += 1
            } catch {
                let error = JournalError(error)
                results[index] = .failure(error)
                guard error.code == .busy else { continue }
                // What comes after must not overtake it.
                for later in results.indices[index...] { results[later] = .failure(error) }
                break
            }
        }
        if waiting > 0 {
            for await (index, answer) in answers {
                results[index] =
                    answer
                    .map { ExternalAnswer(position: $0.last, isRepeated: $0.isRepeated) }
                    .mapError { JournalError($0) }
                waiting -= 1
                if waiting == 0 { break }
            }
        }
        return results.map { $0 ?? .failure(JournalError(.failed, "the event was not answered")) }
    }

    private func admitAppend(_ caller: Caller) async throws {
        switch caller.kind {
        case .auditor: throw try await refusal(of: caller, .contribute, because: "an auditor never changes anything")
        case .administrator:
            throw try await refusal(of: caller, .contribute, because: "an administrator appends nothing of others")
        case .person: try await requireAdministrator(caller, to: .contribute)
        case .tool: break
        }
    }

    private func change(
        with event: CloudEvent,
        _ name: String,
        _ stream: UUID,
        _ caller: Caller
    ) throws -> Change {
        var change = try Change(self, caller)
        try change.add(
            .receiving(streamName: name, contentType: "application/cloudevents+json", data: event.original),
            id: UUID(nameBased: log.description.id, "\(event.source)\n\(event.id)"),
            stream: stream,
            subject: stream
        )
        return change
    }
}
