import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore

/// The lines of a request's body, read piece by piece; fails if nothing arrives for too long.
struct EventLines {
    private var pieces: RequestBody.AsyncIterator
    private let silence: Duration
    private var splitter = LineSplitter(maximumLength: CloudEvent.maximumBytes)
    private var isAtEnd = false
    private var waiting: ArraySlice<LineSplitter.Line> = []

    /// The most lines that `next()` returns at once.
    private static let most = 512

    init(_ body: RequestBody, silence: Duration) {
        pieces = body.makeAsyncIterator()
        self.silence = silence
    }

    /// Returns the next lines; nil at the end of the body.
    ///
    /// Throws a problem when nothing arrives for the time of `silence`.
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
                "nothing was received for \(silence): send the lines without an answer again"
            )
        }
        self.pieces = left.value
        return piece
    }
}

/// Moves a non-sendable value to another task, which is its only user from then on.
final class Transfer<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
