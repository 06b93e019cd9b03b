import EventLog
import Foundation
import Logging
import TestSupport
import Testing

@testable import JournalServer

@Suite("Connections of a witness", .timeLimit(.minutes(10)))
struct LiveWitnessTests {
    @Test("Clients that are silent or never finish keep nobody out, and are disconnected")
    func silent() async throws {
        let folder = try TemporaryFolder()
        let witness = try LogWitness.create(folder.path + "/witness", name: "witness.example/w")
        var limits = ConnectionLimits()
        limits.most = 10
        limits.perAddress = 10
        limits.opening = .seconds(1)
        limits.idle = .seconds(3)
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let service = WitnessService(witness, host: "127.0.0.1", port: 0, limits: limits, logger: logger) {
            ready.yield($0)
        }
        let running = Task { try await service.run() }
        defer { running.cancel() }
        let port = try #require(await ports.first { _ in true })
        let outcome = try await run("python3", [LiveConnectionTests.script, "witness", "\(port)"])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.message)")
    }
}
