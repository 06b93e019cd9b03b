import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Platform
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Long requests", .serialized, .timeLimit(.minutes(10)))
struct LiveLongRequestTests {
    @Test("An account has one import at a time, and health checks are answered while documents are imported")
    func imports() async throws {
        let fixture = try await ServiceFixture()
        let tokens = try await ["Anna", "Ben", "Cleo"].asyncMap { try await fixture.account($0).token }
        try await expect("imports", fixture, tokens)
    }

    @Test("A search whose client hung up stops, and the account's other searches are answered")
    func hangUps() async throws {
        let fixture = try await ServiceFixture()
        try await expect("searches", fixture, [try await fixture.account("Anna").token])
    }

    @Test("A search below /fhir, a search for words and an import stop when their task is cancelled")
    func cancellation() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner) = (fixture.journal, fixture.owner)
        let imported = DocumentImport(journal: journal)
        let bundle = Self.bundle(600)
        let reports = try await imported.take(bundle, isTrial: false, owner)
        let record = try #require(reports.first?.record)
        let head = try journal.log.head()
        let search = try FHIRSearch(of: "Observation", [("patient", record.text), ("code", "none")])
        let words = SearchRequest(try SearchQuery("weight"), in: record, ReadOptions(page: .newest(10)))
        let works: [@Sendable () async throws -> Void] = [
            { _ = try await journal.exports.searchFHIR(search, of: record, at: "", owner) { _ in [] } },
            { _ = try await journal.records.search(words, owner) },
            { _ = try await imported.take(Self.bundle(601), isTrial: false, owner) },
        ]
        for work in works {
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await work()
            }
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
        }
        // Nothing was imported, and what was not shown is not in the audit trail.
        #expect(try journal.log.head() == head)
    }

    @Test("Health checks are answered while no thread of the cooperative pool is free")
    func busy() async throws {
        let fixture = try await ServiceFixture()
        let folder = try TemporaryFolder()
        let isThere = { @Sendable (name: String) in FileManager.default.fileExists(atPath: "\(folder.path)/\(name)") }
        let outcome = try await fixture.live { port in
            async let outcome = run("python3", [Self.script, "busy", "\(port)", folder.path])
            while !isThere("connected"), !isThere("over") { try await Task.sleep(for: .milliseconds(10)) }
            for _ in 0..<8 * Threads.processorCount {
                Task.detached {
                    while !isThere("over") { usleep(1_000) }
                }
            }
            return try await outcome
        }
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.message)")
    }

    @Test("Work of several tasks that compute does not keep tasks of the cooperative pool waiting")
    func threads() async throws {
        let isOver = Guarded(false)
        let work = (0..<4 * Threads.processorCount)
            .map { _ in
                Task(executorPreference: LongWorkExecutor.shared) {
                    _ = Threads.map(Array(0..<100_000), chunk: 8) { _ in
                        while !isOver.withLock({ $0 }) { usleep(1_000) }
                    }
                }
            }
        // Each of these needs a thread of the pool.
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { await Task.yield() } }
        }
        isOver.withLock { $0 = true }
        for task in work { await task.value }
    }

    private static let script = URL(filePath: #filePath)
        .deletingLastPathComponent().appending(path: "long_requests.py").path

    private func expect(_ behaviour: String, _ fixture: ServiceFixture, _ tokens: [String]) async throws {
        let outcome = try await fixture.live { port in
            try await run("python3", [Self.script, behaviour, "\(port)"] + tokens)
        }
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.message)")
    }

    /// A document of a Patient with a number of values.
    private static func bundle(_ count: Int) -> [UInt8] {
        let patient =
            #"{"fullUrl": "http://h/Patient/p", "resource": {"resourceType": "Patient", "id": "p", "name": [{"family": "A"}]}}"#
        let values = (0..<count)
            .map { number in
                #"""
                {"fullUrl": "http://h/Observation/\#(number)", "resource": {"resourceType": "Observation", "id": "\#(number)", \#
                "status": "final", "effectiveDateTime": "2020-01-0\#(1 + number % 9)", "code": {"text": "value"}, \#
                "subject": {"reference": "http://h/Patient/p"}, "valueQuantity": {"value": \#(number), "unit": "kg"}}}
                """#
            }
        let entries = ([patient] + values).joined(separator: ",")
        return Array(#"{"resourceType": "Bundle", "type": "collection", "entry": [\#(entries)]}"#.utf8)
    }
}
