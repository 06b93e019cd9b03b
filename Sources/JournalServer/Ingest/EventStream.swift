import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore

/// A stream of events in NDJSON, answered line by line as each event becomes durable.
///
/// The next piece of the body is read only after the results of the previous piece have been written. This slows the
/// client down to the speed of the disk and of its own reading, and memory holds one piece and its results.
struct EventStream: Sendable {
    private let journal: Journal
    private let renew: @Sendable () async throws(JournalError) -> Caller
    private let stream: String?
    /// Held until the response ends.
    private let slot: ConcurrencyLimiter.Slot

    init(
        _ journal: Journal,
        _ context: ServerContext,
        stream: String?,
        _ slot: ConcurrencyLimiter.Slot
    ) throws {
        self.journal = journal
        self.stream = stream
        self.slot = slot
        renew = try context.requireRenewal()
    }

    /// Starts the response after the first results, so that a full queue before them can be reported by the status.
    @concurrent func response(to body: EventLines) async throws -> Response {
        var lines = body
        var (first, last): ([LineResult], Int) = ([], 0)
        while first.isEmpty, let next = try await lines.next() {
            first = try await answer(next)
            last = next.last?.number ?? last
        }
        if let busy = first.first(where: \.isBusy), first.allSatisfy(\.isBusy), case .refused(_, let error) = busy {
            throw error
        }
        let begun = Begun(answers: first, last: last, lines: Transfer(lines))
        return Response(
            status: .ok,
            headers: [.contentType: AnswerType.lines.rawValue],
            body: ResponseBody { writer in try await send(begun, &writer) }
        )
    }

    /// The results from before the response started, and the rest of the body.
    private struct Begun: Sendable {
        let answers: [LineResult]
        let last: Int
        let lines: Transfer<EventLines>
    }

    @concurrent private func send(_ begun: Begun, _ writer: inout any ResponseBodyWriter) async throws {
        if !begun.answers.isEmpty { try await writer.write(begun.answers.buffer) }
        var (lines, last) = (begun.lines.value, begun.last)
        do {
            while let next = try await lines.next() {
                let answers = try await answer(next)
                if !answers.isEmpty { try await writer.write(answers.buffer) }
                last = next.last?.number ?? last
            }
        } catch {
            // The response has already started: an error is reported as its last line, unless the connection itself
            // failed.
            guard let why = JournalError(ending: error) else { throw error }
            try await writer.write([LineResult.refused(line: last + 1, why)].buffer)
            try await writer.finish(nil)
            throw Cut()
        }
        try await writer.finish(nil)
    }

    /// Closes the connection, because the rest of the request is not read.
    private struct Cut: Error {}

    @concurrent private func answer(_ lines: [LineSplitter.Line]) async throws -> [LineResult] {
        var events: [(line: Int, event: CloudEvent)] = []
        var refused: [(line: Int, error: JournalError)] = []
        for line in lines {
            do throws(ModelError) {
                guard let bytes = line.bytes else {
                    throw ModelError(.invalid, "is longer than \(CloudEvent.maximumBytes) bytes")
                }
                events.append((line.number, try CloudEvent.read(bytes)))
            } catch {
                refused.append((line.number, JournalError(error)))
            }
        }
        var results: [Result<IngestResult, JournalError>] = []
        // Authentication is checked for each piece: a token that was revoked meanwhile appends nothing more.
        if !events.isEmpty {
            results = await journal.ingest.append(events.map(\.event), stream: stream, try await renew())
        }
        let answers =
            zip(events, results).map { ($0.line, LineResult($0.event, line: $0.line, $1)) }
            + refused.map { ($0.line, LineResult.refused(line: $0.line, $0.error)) }
        return answers.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension JournalError {
    /// The error that ends a stream of lines; nil if the connection itself failed.
    fileprivate init?(ending error: any Error) {
        switch error {
        case let error as JournalError: self = error
        case let problem as Problem: self.init(.failed, problem.text)
        default: return nil
        }
    }
}

extension [LineResult] {
    fileprivate var buffer: ByteBuffer {
        ByteBuffer(bytes: flatMap { JSONWriter.bytes($0.json) + [0x0A] })
    }
}
