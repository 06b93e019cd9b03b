import HealthJournal
import Hummingbird
import Interchange
import NIOCore

/// The lines of a request's body, piece by piece, for as long as something comes.
struct EventLines {
    private var pieces: RequestBody.AsyncIterator
    private let silence: Duration
    private var splitter = LineSplitter(maximumLength: CloudEvent.maximumBytes)
    private var isAtEnd = false
    private var waiting: ArraySlice<LineSplitter.Line> = []

    /// Lines that are under way at once.
    private static let most = 512

    init(_ body: RequestBody, silence: Duration) {
        pieces = body.makeAsyncIterator()
        self.silence = silence
    }

    /// The next lines; nil when there are no more.
    ///
    /// Throws a problem when nothing came for too long.
    @concurrent mutating func next() async throws -> [LineSplitter.Line]? {
        while waiting.isEmpty {
            if isAtEnd { return nil }
            if let piece = try await nextPiece() {
                waiting = splitter.lines(of: piece)[...]
            } else {
                isAtEnd = true
                waiting = splitter.rest()[...]
            }
        }
        let lines = Array(waiting.prefix(EventLines.most))
        waiting = waiting.dropFirst(EventLines.most)
        return lines
    }

    @concurrent private mutating func nextPiece() async throws -> ByteBuffer? {
        let (pieces, silence) = (Transfer(pieces), silence)
        let came = try await withThrowingTaskGroup(of: (ByteBuffer?, Transfer<RequestBody.AsyncIterator>)?.self) {
            group in
            group.addTask {
                var pieces = pieces.value
                let piece = try await pieces.next()
                return (piece, Transfer(pieces))
            }
            group.addTask {
                try await Task.sleep(for: silence)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next().flatMap(\.self)
        }
        guard let (piece, left) = came else {
            throw Problem(
                ProblemType.slow.rawValue,
                ProblemType.slow.status,
                "nothing came for \(silence): send again what was not answered"
            )
        }
        self.pieces = left.value
        return piece
    }
}

/// Hands a value from one task to another that has it alone from then on.
final class Transfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
