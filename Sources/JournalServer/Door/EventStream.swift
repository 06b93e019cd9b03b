import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore

/// A stream of events, one a line, answered line by line as each becomes durable.
///
/// A piece of the body is read when the one before it is answered, so that a client is held back by the disk and by how
/// fast it reads its answers, and memory holds one piece and its answers.
struct EventStream: Sendable {
    private let journal: Journal
    private let renew: @Sendable () async throws(JournalError) -> Caller
    private let stream: String?
    /// Held for as long as the answer goes on.
    private let place: OpenStreams.Place

    init(
        _ journal: Journal,
        _ context: ServerContext,
        stream: String?,
        _ place: OpenStreams.Place
    ) throws {
        self.journal = journal
        self.stream = stream
        self.place = place
        renew = try context.requireRenewal()
    }

    /// The answer begins with the first piece: a queue that is full before that is told by the answer's status.
    @concurrent func response(to body: EventLines) async throws -> Response {
        var lines = body
        var (first, last): ([LineAnswer], Int) = ([], 0)
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

    /// What was answered before the answer was begun, and what is left to read.
    private struct Begun: Sendable {
        let answers: [LineAnswer]
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
            // The answer has begun: what ends it is said by a line, if there is anything to say.
            guard let why = JournalError(ending: error) else { throw error }
            try await writer.write([LineAnswer.refused(line: last + 1, why)].buffer)
            try await writer.finish(nil)
            throw Cut()
        }
        try await writer.finish(nil)
    }

    /// Closes the connection: the rest of the request is waited for by nobody.
    private struct Cut: Error {}

    @concurrent private func answer(_ lines: [LineSplitter.Line]) async throws -> [LineAnswer] {
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
        var results: [Result<DoorAnswer, JournalError>] = []
        // Asked for each piece: a token that was revoked meanwhile takes nothing more.
        if !events.isEmpty { results = await journal.append(events.map(\.event), stream: stream, try await renew()) }
        let answers =
            zip(events, results).map { ($0.line, LineAnswer($0.event, line: $0.line, $1)) }
            + refused.map { ($0.line, LineAnswer.refused(line: $0.line, $0.error)) }
        return answers.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension JournalError {
    /// What a stream of lines is ended with; nil where the connection itself broke.
    fileprivate init?(ending error: any Error) {
        switch error {
        case let error as JournalError: self = error
        case let problem as Problem: self.init(.failed, problem.detail)
        default: return nil
        }
    }
}

extension [LineAnswer] {
    fileprivate var buffer: ByteBuffer {
        ByteBuffer(bytes: flatMap { JSONWriter.bytes($0.json) + [0x0A] })
    }
}
