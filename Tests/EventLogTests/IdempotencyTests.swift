import EventLog
import Foundation
import TestSupport
import Testing

@Suite("Idempotency keys")
struct IdempotencyTests {
    private func event(_ number: Int, payload: String? = nil) -> NewEvent {
        TestJournal.event(
            TestJournal.id(number % 3),
            id: TestJournal.id(number, version: 5),
            payload: payload ?? "\(number)"
        )
    }

    private func code(_ body: () async throws -> Void) async -> EventLogError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? EventLogError)?.code
        }
    }

    @Test("A batch counts as a repetition only if all its events are stored, so that no new event is lost")
    func partialRepetition() async throws {
        let journal = try TestJournal()
        let first = try await journal.log.append([event(1), event(2), event(3)])
        #expect(try await journal.log.append([event(1), event(2), event(3)]).first == first.first)
        for batch in [[event(3), event(4)], [event(4), event(3)], [event(0), event(1)], [event(1), event(3)]] {
            for _ in 0..<4 {
                #expect(await code { try await journal.log.append(batch) } == .keyConflict)
            }
        }
        #expect(try journal.log.head() == 3)
        let part = try await journal.log.append([event(2), event(3)])
        #expect(part.isRepeated)
        #expect(part.first == 2)
        #expect(part.last == 3)
        let longer = await code { _ = try await journal.log.append([event(3), TestJournal.event()]) }
        #expect(longer == .keyConflict)
        #expect(try journal.log.head() == 3)
    }

    @Test("A batch whose last event repeats a stored key is refused and appends nothing")
    func lateInBatch() async throws {
        let journal = try TestJournal()
        try await journal.log.append([event(1)])
        let batch = (0..<5).map { _ in TestJournal.event() } + [event(1)]
        #expect(await code { try await journal.log.append(batch) } == .keyConflict)
        #expect(try journal.log.head() == 1)
    }

    @Test("An append that contains the same key twice is refused")
    func twiceInOne() async throws {
        let journal = try TestJournal()
        #expect(await code { try await journal.log.append([event(1), event(2), event(1)]) } == .keyConflict)
        #expect(try journal.log.head() == 0)
    }

    @Test("A repetition may differ in actor, source, correlation and causation; any other difference is a conflict")
    func content() async throws {
        let journal = try TestJournal()
        let original = event(1)
        try await journal.log.append([original])
        var again = original
        again.header.correlation = UUID()
        again.header.causation = UUID()
        again.header.actor = UUID()
        again.header.source += 1
        #expect(try await journal.log.append([again]).isRepeated)
        let changes: [(inout NewEvent) -> Void] = [
            { $0.payload += [1] }, { $0.payload = [] }, { $0.header.stream = UUID() }, { $0.header.subject = UUID() },
            { $0.header.type += 1 }, { $0.header.schemaVersion += 1 }, { $0.header.category += 1 },
            { $0.header.kind += 1 }, { $0.header.entry = UUID() },
            { $0.header.occurred = EventHeader.Occurred(daysSince1970: 1, isInstant: false) },
        ]
        for change in changes {
            var other = original
            change(&other)
            #expect(await code { try await journal.log.append([other]) } == .keyConflict)
        }
        #expect(try journal.log.head() == 1)
    }

    @Test("A repetition is answered before its expected version is compared with the stream")
    func beforeExpectation() async throws {
        let journal = try TestJournal()
        let expecting = [Expectation(event(1).header.stream, .empty)]
        let first = try await journal.log.append([event(1)], expecting: expecting)
        let again = try await journal.log.append([event(1)], expecting: expecting)
        #expect(again.isRepeated)
        #expect(again.first == first.first)
    }

    @Test("Random appends and repetitions store each key once, even if the index is deleted in between")
    func model() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        var known: [Int: UInt64] = [:]
        for step in 0..<300 {
            if step % 60 == 59 {
                try journal.reopen { try FileManager.default.removeItem(atPath: journal.folder.index) }
            }
            let number = Int.random(in: 0..<120, using: &random)
            if let position = known[number], Bool.random(using: &random) {
                #expect(await code { try await journal.log.append([event(number, payload: "other")]) } == .keyConflict)
                #expect(try journal.log.event(withKey: TestJournal.id(number, version: 5))?.position == position)
            }
            let result = try await journal.log.append([event(number)])
            #expect(result.isRepeated == (known[number] != nil))
            #expect(result.first == known[number] ?? UInt64(known.count + 1))
            known[number] = result.first
        }
        #expect(try journal.log.head() == UInt64(known.count))
        #expect(try journal.log.event(withKey: TestJournal.id(121, version: 5)) == nil)
        #expect(try journal.log.verify().isSound)
    }
}
