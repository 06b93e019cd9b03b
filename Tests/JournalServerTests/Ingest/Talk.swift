import Foundation
import Platform
import TestSupport

/// A client program that runs during a test, and the lines that it has printed so far.
final class Talk: Sendable {
    private let process: ChildProcess
    private let said = Said()

    private final class Said: Sendable {
        let state = Guarded((lines: [String](), ended: ContinuousClock.Instant?.none))
    }

    init(_ program: String, _ arguments: [String]) throws {
        process = try ChildProcess(program: program, arguments, messages: .discarded)
        // A separate thread reads the output, because the few threads of the pool are needed by the service.
        Thread.detachNewThread { [process, said] in
            while let line = process.readLine() { said.state.withLock { $0.lines.append(line) } }
            said.state.withLock { $0.ended = .now }
        }
    }

    deinit { process.kill9() }

    /// The lines printed so far, without empty ones.
    var lines: [String] { said.state.withLock(\.lines).filter { !$0.isEmpty && $0 != "\r" } }
    /// The time at which the output ended; nil while the program runs.
    var ended: ContinuousClock.Instant? { said.state.withLock(\.ended) }
    var hasEnded: Bool { ended != nil }

    func say(_ line: String) throws { try process.say(line) }
    func endInput() { process.endInput() }
    /// Kills the program.
    ///
    /// A gentler signal would not work: tests of the service ignore such signals, and child processes inherit this.
    func stop() { process.kill9() }

    /// Waits until `isSo` holds, and returns false if it does not within two minutes.
    func comes(_ isSo: (Talk) -> Bool) async throws -> Bool {
        let limit = ContinuousClock.now + .seconds(120)
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

    /// Follows the feed of a service with a token.
    static func follow(_ port: Int, _ token: String, _ query: String = "", _ options: [String] = []) throws -> Talk {
        try Talk(
            curl,
            ["-sN", "-w", "\\n", address(port) + query] + bearer(token) + ["-H", "Accept: text/event-stream"] + options
        )
    }

    /// Sends lines to a service, as `say` passes them on.
    static func lines(_ port: Int, _ token: String, _ options: [String] = []) throws -> Talk {
        try Talk(
            curl,
            ["-sN", "-w", "\\n", "-X", "POST", "-T", ".", address(port), "-H", "Expect:"] + bearer(token)
                + ["-H", "Content-Type: application/x-ndjson"] + options
        )
    }

    /// Sends lines over a plain TCP connection, each as one chunk; the program ends when the service closes the
    /// connection.
    static func pieces(_ port: Int, _ token: String) throws -> Talk {
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "send_lines.py").path
        return try Talk("/usr/bin/env", ["python3", "-B", program, "\(port)", token])
    }

    static func address(_ port: Int) -> String { "http://127.0.0.1:\(port)/v1/events" }
    private static func bearer(_ token: String) -> [String] { ["-H", "Authorization: Bearer \(token)"] }

    /// The status of the first response, if its headers are printed.
    var status: String? { lines.first?.split(separator: " ").dropFirst().first.map(String.init) }
    /// The JSON documents among the lines.
    var answers: [String] { lines.filter { $0.hasPrefix("{") } }
    /// The data of a feed's events.
    var events: [String] { lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) } }
}
