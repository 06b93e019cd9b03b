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
struct EventStream {
    private let journal: Journal
    private let body: RequestBody
    private let renew: @Sendable () throws(JournalError) -> Caller
    private let stream: String?

    init(_ journal: Journal, _ request: Request, _ context: ServerContext, stream: String?) throws {
        let caller = try context.requireCaller()
        self.journal = journal
        self.stream = stream
        body = request.body
        renew = context.renew ?? { () throws(JournalError) in caller }
    }

    /// The answer begins with the first piece: a queue that is full before that is told by the answer's status.
    @concurrent func response() async throws -> Response {
        var reader = Reader(body)
        var first: [LineAnswer] = []
        while first.isEmpty, let lines = try await reader.next() { first = try await answer(lines) }
        if let busy = first.first(where: \.isBusy), first.allSatisfy(\.isBusy), case .refused(_, let error) = busy {
            throw error
        }
        let rest = Transfer(reader)
        let begun = first
        return Response(
            status: .ok,
            headers: [.contentType: AnswerType.lines.rawValue],
            body: ResponseBody { writer in
                if !begun.isEmpty { try await writer.write(begun.buffer) }
                var reader = rest.value
                do {
                    while let lines = try await reader.next() {
                        let answers = try await answer(lines)
                        if !answers.isEmpty { try await writer.write(answers.buffer) }
                    }
                } catch let error as JournalError {
                    // The answer has begun: what is said now is a line.
                    try await writer.write([LineAnswer.refused(line: reader.line, error)].buffer)
                }
                try await writer.finish(nil)
            }
        )
    }

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
        if !events.isEmpty { results = await journal.append(events.map(\.event), stream: stream, try renew()) }
        let answers =
            zip(events, results).map { ($0.line, LineAnswer($0.event, line: $0.line, $1)) }
            + refused.map { ($0.line, LineAnswer.refused(line: $0.line, $0.error)) }
        return answers.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The lines of the body, piece by piece.
    private struct Reader {
        private var pieces: RequestBody.AsyncIterator
        private var splitter = LineSplitter(maximumLength: CloudEvent.maximumBytes)
        private var isAtEnd = false
        private var waiting: ArraySlice<LineSplitter.Line> = []
        /// The last line that was read.
        private(set) var line = 0

        /// Lines that are under way at once.
        private static let most = 512

        init(_ body: RequestBody) {
            pieces = body.makeAsyncIterator()
        }

        @concurrent mutating func next() async throws -> [LineSplitter.Line]? {
            while waiting.isEmpty {
                if isAtEnd { return nil }
                if let piece = try await pieces.next() {
                    waiting = splitter.lines(of: piece)[...]
                } else {
                    isAtEnd = true
                    waiting = splitter.rest()[...]
                }
            }
            let lines = Array(waiting.prefix(Reader.most))
            waiting = waiting.dropFirst(Reader.most)
            line = lines.last?.number ?? line
            return lines
        }
    }

    /// Hands the reader from the route to the answer, one after the other.
    private final class Transfer: @unchecked Sendable {
        let value: Reader

        init(_ value: Reader) { self.value = value }
    }
}

extension [LineAnswer] {
    fileprivate var buffer: ByteBuffer {
        ByteBuffer(bytes: flatMap { JSONWriter.bytes($0.json) + [0x0A] })
    }
}
