import Foundation
import Synchronization
import TestSupport

/// A program that talks to the live service, and the lines it has printed so far.
final class Talk: Sendable {
    private let process: ChildProcess
    private let said = Said()

    private final class Said: Sendable {
        let state = Mutex((lines: [String](), ended: ContinuousClock.Instant?.none))
    }

    init(_ program: String, _ arguments: [String]) throws {
        process = try ChildProcess(program: program, arguments, messages: .discarded)
        // A thread of its own: the pool's are few, and the service needs them.
        Thread.detachNewThread { [process, said] in
            while let line = process.readLine() { said.state.withLock { $0.lines.append(line) } }
            said.state.withLock { $0.ended = .now }
        }
    }

    deinit { process.kill9() }

    /// What it said, but for empty lines.
    var lines: [String] { said.state.withLock(\.lines).filter { !$0.isEmpty && $0 != "\r" } }
    /// When it had nothing more to say.
    var ended: ContinuousClock.Instant? { said.state.withLock(\.ended) }
    var hasEnded: Bool { ended != nil }

    func say(_ line: String) throws { try process.say(line) }
    func endInput() { process.endInput() }
    /// Killed: a service's tests leave it to themselves what a gentler signal does, and children inherit that.
    func stop() { process.kill9() }

    /// Waits until something is so; false when it did not come about in half a minute.
    func comes(_ isSo: (Talk) -> Bool) async throws -> Bool {
        let limit = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < limit {
            if isSo(self) { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return isSo(self)
    }
}

extension Talk {
    static let curl = "/usr/bin/curl"
    static var hasCurl: Bool { FileManager.default.isExecutableFile(atPath: curl) }

    /// Follows the feed of a service, as whoever has the token.
    static func follow(_ port: Int, _ token: String, _ query: String = "", _ options: [String] = []) throws -> Talk {
        try Talk(
            curl,
            ["-sN", "-w", "\\n", address(port) + query] + bearer(token) + ["-H", "Accept: text/event-stream"] + options
        )
    }

    /// Sends lines to a service as they are said.
    static func lines(_ port: Int, _ token: String, _ options: [String] = []) throws -> Talk {
        try Talk(
            curl,
            ["-sN", "-w", "\\n", "-X", "POST", "-T", ".", address(port), "-H", "Expect:"] + bearer(token)
                + ["-H", "Content-Type: application/x-ndjson"] + options
        )
    }

    /// The same over a bare connection, each line a piece; it ends when the service closes.
    static func pieces(_ port: Int, _ token: String) throws -> Talk {
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "send_lines.py").path
        return try Talk("/usr/bin/env", ["python3", "-B", program, "\(port)", token])
    }

    static func address(_ port: Int) -> String { "http://127.0.0.1:\(port)/v1/events" }
    private static func bearer(_ token: String) -> [String] { ["-H", "Authorization: Bearer \(token)"] }

    /// The first line of an answer, where its headers are shown.
    var status: String? { lines.first?.split(separator: " ").dropFirst().first.map(String.init) }
    /// The JSON documents of an answer, without what HTTP has around them.
    var answers: [String] { lines.filter { $0.hasPrefix("{") } }
    /// The documents of the events of a feed.
    var events: [String] { lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) } }
}
