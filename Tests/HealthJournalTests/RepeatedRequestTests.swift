import EventLog
import Foundation
import HealthJournal
import HealthModel
import Platform
import Testing

@testable import JournalCore

@Suite("Requests that are sent again")
struct RepeatedRequestTests {
    private final class Counts: Sendable {
        let state = Guarded((running: 0, most: 0, answered: 0))
    }

    private static let taken = JournalError(.slotTaken, field: "specialist", "is not free at that time")

    @Test("A refused request is refused again for some time, and only the same request")
    func refusedAgain() async throws {
        let requests = RepeatedRequests()
        let id = UUID()
        func answer(_ id: UUID, _ digest: [UInt8], _ result: Result<Int, JournalError>) async -> Result<
            Int, JournalError
        > {
            do { return .success(try await requests.answer(id, digest) { try result.get() }) } catch {
                return .failure(JournalError(error))
            }
        }
        #expect(await answer(id, [1], .failure(Self.taken)) == .failure(Self.taken))
        // The first one, which arrives late, changes nothing.
        #expect(await answer(id, [1], .success(1)) == .failure(Self.taken))
        #expect(await answer(id, [2], .success(2)) == .success(2))
        #expect(await answer(UUID(), [1], .success(3)) == .success(3))
        // What may succeed at another time is tried again.
        let busy = JournalError(.busy, "the queue is full")
        let other = UUID()
        #expect(await answer(other, [1], .failure(busy)) == .failure(busy))
        #expect(await answer(other, [1], .success(4)) == .success(4))
    }

    @Test("A refusal is forgotten after its time")
    func forgotten() async throws {
        let requests = RepeatedRequests(remembering: .zero)
        let id = UUID()
        await #expect(throws: JournalError.self) { try await requests.answer(id, [1]) { throw Self.taken } }
        #expect(try await requests.answer(id, [1]) { 1 } == 1)
    }

    @Test("The same request is answered by one task at a time, also if its command consists of others")
    func oneAtATime() async throws {
        let requests = RepeatedRequests()
        let id = UUID()
        let counts = Counts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    try await requests.answer(id, [1]) {
                        counts.state.withLock { counts in
                            counts.running += 1
                            counts.most = max(counts.most, counts.running)
                        }
                        await Task.yield()
                        try await requests.answer(id, [1]) { await Task.yield() }
                        counts.state.withLock { counts in
                            counts.running -= 1
                            counts.answered += 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let (running, most, answered) = counts.state.withLock { $0 }
        #expect(running == 0)
        #expect(most == 1)
        #expect(answered == 40)
    }

    @Test("A client that was told that nothing changed is not contradicted by its own request")
    func told() async throws {
        let household = try await TestHousehold()
        let (journal, owner) = (household.journal, household.owner)
        let record = try await household.person("Anna")
        var reason = owner
        reason.reason = "by mistake"
        _ = try await journal.records.closeRecord(record, reason)
        func add(_ key: String) async -> JournalError? {
            var caller = owner
            caller.request = RequestKey(key, digest: Array(key.utf8))
            return await refusal { [caller] in
                _ = try await journal.entries.addEntry(try entry("illness", ["name": "cold"]), to: record, caller)
            }
        }
        let refused = await add("first")
        #expect(refused?.code == .conflict)
        _ = try await journal.records.reopenRecord(record, reason)
        #expect(await add("first") == refused)
        #expect(await add("second") == nil)
        // Unless the same client has removed what was in the way.
        var first = owner
        first.request = RequestKey("first", digest: Array("first".utf8))
        try journal.decideAnew(first)
        #expect(await add("first") == nil)
    }

    @Test("The version of a result is that of the entity's own last change, also if the request is sent again")
    func version() async throws {
        let household = try await TestHousehold()
        let (journal, owner) = (household.journal, household.owner)
        let record = try await household.person("Anna")
        let added = try await journal.entries.addEntry(try entry("illness", ["name": "cold"]), to: record, owner)
        let id = try #require(added.entry)
        _ = try await journal.entries.retractEntry(id, owner)
        let corrected = try entry("illness", ["name": "influenza"])
        func restore() async throws -> WriteResult {
            var caller = owner
            caller.request = RequestKey("restore", digest: [1])
            return try await journal.entries.changeEntry(id, ExpectedEntry(), caller) { _ in
                [.restore, .correct(corrected)]
            }
        }
        let restored = try await restore()
        let state = try #require(try journal.contents(for: .decision).entry(id, asOf: journal.log.head()))
        #expect(restored.version == state.latest.position)
        #expect(try await restore() == restored)

        // The claim of the microchip number follows the record's own event.
        func create() async throws -> WriteResult {
            var caller = owner
            caller.request = RequestKey("create", digest: [2])
            var profile = RecordProfile(subject: .animal)
            try profile.set("name", text: "Rex")
            try profile.set("animalID", text: "276098106123456")
            return try await journal.records.createRecord(profile, caller)
        }
        let created = try await create()
        #expect(created.version == created.position - 1)
        #expect(try await create() == created)
    }
}
