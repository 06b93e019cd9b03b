import EventLog
import Foundation
import HealthJournal
import Logging
import Synchronization
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

extension ServiceFixture {
    /// Runs the service on a free port, as the `serve` command does, while `body` runs.
    func live<Value: Sendable>(
        _ settings: ServerSettings = ServerSettings(port: 0),
        _ body: @Sendable @escaping (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let server = JournalServer(journal, settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) {
            ready.yield($0)
        }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await server.run()
                return nil
            }
            group.addTask {
                for await port in ports { return try await body(port) }
                return nil
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }
}

/// Runs a program to its end, and returns its status and output.
func run(_ program: String, _ arguments: [String]) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
        // A separate thread waits, because the few threads of the pool are needed by the service.
        Thread.detachNewThread {
            continuation.resume(with: Result { try Outcome(of: "/usr/bin/env", [program] + arguments) })
        }
    }
}
