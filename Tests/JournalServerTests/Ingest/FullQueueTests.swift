import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import EventLog
@testable import JournalCore
@testable import JournalServer

@Suite("Full append queue")
struct FullQueueTests {
    @Test("With a full queue every mode gets 429 with Retry-After, and queued events are stored")
    func busy() async throws {
        let fixture = try await ServiceFixture()
        let journal = fixture.journal
        let lab = try await fixture.account("lab", .tool, .append)
        let caller = try journal.accounts.caller("lab", source: .http)
        try await fixture.serve { client in
            let client = client.with(lab.token)
            // The first use of a token is recorded as a separate event.
            #expect(try await client.post("/v1/events", event(0), [structured]).status == 201)
            let writer = try await BlockedWriter(journal.log)
            defer { writer.unblock() }
            let events = try (1...AppendLimits.waitingAppends + 100).map { try CloudEvent.read(Array(event($0).utf8)) }
            async let results = journal.ingest.append(events, caller)
            while try #require(journal.log.appendStatistics).waiting < AppendLimits.waitingAppends {
                try await Task.sleep(for: .milliseconds(5))
            }
            let (one, other) = (event(-1), event(-2))
            let modes = [
                (one, structured), ("[\(one), \(other)]", ("Content-Type", "application/cloudevents-batch+json")),
                ("\(one)\n\(other)\n", ("Content-Type", "application/x-ndjson")),
            ]
            for (body, type) in modes {
                let answer = try await client.post("/v1/events", body, [type])
                #expect(answer.status == 429, "\(type.1)")
                #expect(answer.problem == "busy", "\(type.1)")
                #expect(answer.headers[.retryAfter] == "1", "\(type.1)")
            }
            let bound = [("ce-specversion", "1.0"), ("ce-id", "-1"), ("ce-source", "/lab"), ("ce-type", "t")]
            #expect(try await client.post("/v1/events", "1", bound).status == 429)
            writer.unblock()
            let taken = await results.prefix { $0.failure == nil }
            #expect(taken.count == AppendLimits.waitingAppends)
            #expect(await results.dropFirst(taken.count).allSatisfy { $0.failure?.code == .busy })
            #expect(try await client.post("/v1/events", one, [structured]).status == 201)
        }
    }

    private let structured = ("Content-Type", "application/cloudevents+json")

    private func event(_ id: Int) -> String {
        #"{"specversion": "1.0", "id": "\#(id)", "source": "/lab", "type": "t"}"#
    }
}

/// Blocks the writer of a log, so that nothing is taken from its queue.
private final class BlockedWriter: Sendable {
    private let mayContinue = DispatchSemaphore(value: 0)

    /// Appends an event, and blocks the writer when it reports the result.
    init(_ log: EventLog) async throws {
        let event = NewEvent.external(in: UUID())
        try await log.prepareKeys(of: [event])
        let mayContinue = mayContinue
        try await withCheckedThrowingContinuation { continuation in
            do {
                try log.enqueue([event]) { result in
                    continuation.resume(with: result.map { _ in })
                    mayContinue.wait()
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    func unblock() { mayContinue.signal() }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
