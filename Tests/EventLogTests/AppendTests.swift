import EventLog
import Foundation
import Platform
import Testing

@Suite("Appending")
struct AppendTests {
    @Test("Positions and stream positions start at 1 and have no gaps")
    func positions() async throws {
        let journal = try TestJournal()
        let streams = (0..<3).map { _ in UUID() }
        for index in 0..<30 {
            let result = try await journal.log.append([TestJournal.event(streams[index % 3], payload: "event \(index)")]
            )
            #expect(result.first == UInt64(index + 1))
        }
        let events = try journal.log.events(after: 0)
        #expect(events.map(\.position) == Array(1...30))
        for stream in streams {
            let own = try journal.log.events(of: stream)
            #expect(own.map(\.streamPosition) == Array(1...10))
            #expect(own.map(\.previous) == [0] + own.dropLast().map(\.position))
        }
        #expect(try String(decoding: journal.log.open(events[29]), as: UTF8.self) == "event 29")
    }

    @Test("Every version of a stream can be reached from its head", arguments: [1, 2, 7, 8, 9, 63, 64, 100])
    func versions(count: Int) async throws {
        let journal = try TestJournal()
        let stream = UUID()
        try await journal.log.append((0..<count).map { TestJournal.event(stream, payload: "\($0 + 1)") })
        for version in 1...count {
            let found = try journal.log.events(of: stream, from: UInt64(version), limit: 1)
            #expect(try found.map { String(decoding: try journal.log.open($0), as: UTF8.self) } == ["\(version)"])
        }
        #expect(try journal.log.verify().faults == [])
    }

    @Test(
        "An expected version is compared with the stream",
        arguments: [
            (ExpectedVersion.any, 0, true), (.any, 2, true), (.empty, 0, true), (.empty, 1, false), (.exists, 0, false),
            (.exists, 1, true), (.exact(2), 2, true), (.exact(2), 1, false), (.exact(0), 0, true),
        ] as [(ExpectedVersion, Int, Bool)]
    )
    func expectations(expected: ExpectedVersion, before: Int, isTaken: Bool) async throws {
        let journal = try TestJournal()
        let stream = UUID()
        for _ in 0..<before { try await journal.log.append([TestJournal.event(stream)]) }
        do {
            try await journal.log.append([TestJournal.event(stream)], expecting: [Expectation(stream, expected)])
            #expect(isTaken)
        } catch {
            #expect(error.code == .versionConflict)
            #expect(!isTaken)
        }
        #expect(try journal.log.version(of: stream) == UInt64(before + (isTaken ? 1 : 0)))
    }

    @Test("An append is committed as a whole or not at all")
    func atomicity() async throws {
        let journal = try TestJournal()
        let (taken, free) = (UUID(), UUID())
        try await journal.log.append([TestJournal.event(taken)])
        await #expect(throws: EventLogError.self) {
            try await journal.log.append(
                [TestJournal.event(free), TestJournal.event(taken)],
                expecting: [Expectation(free, .empty), Expectation(taken, .empty)]
            )
        }
        #expect(try journal.log.head() == 1)
        #expect(try journal.log.version(of: free) == 0)
    }

    @Test("A repeated key with the same content returns the first result, and with other content is refused")
    func idempotency() async throws {
        let journal = try TestJournal()
        let stream = UUID()
        let event = TestJournal.event(stream, id: TestJournal.keyed(1), payload: "first")
        let first = try await journal.log.append([event, TestJournal.event(stream, payload: "second")])
        try await journal.log.append([TestJournal.event()])
        try journal.reopen()
        let again = try await journal.log.append([event, TestJournal.event(stream, payload: "second")])
        #expect(again.isRepeated)
        #expect(!first.isRepeated)
        #expect(again.first == first.first)
        #expect(again.last == first.last)
        #expect(again.recordedAt == first.recordedAt)
        let other = TestJournal.event(stream, id: TestJournal.keyed(1), payload: "other")
        await #expect { try await journal.log.append([other]) } throws: { ($0 as? EventLogError)?.code == .keyConflict }
        #expect(try journal.log.head() == 3)
    }

    @Test("A hundred concurrent appends with one key create one event")
    func simultaneousKeys() async throws {
        let journal = try TestJournal()
        let event = TestJournal.event(id: TestJournal.keyed(2))
        let log = journal.log
        let results = try await withThrowingTaskGroup(of: AppendResult.self) { group in
            for _ in 0..<100 { group.addTask { try await log.append([event]) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results.map(\.first)) == [1])
        #expect(results.filter { !$0.isRepeated }.count == 1)
        #expect(try log.head() == 1)
    }

    @Test("Recorded times never go back, whatever the clock does")
    func clock() async throws {
        let times = TimeSource([5_000, 9_000, 3_000, 9_500])
        let journal = try TestJournal(now: { times.next() })
        for _ in 0..<3 { try await journal.log.append([TestJournal.event()]) }
        #expect(try journal.log.events(after: 0).map(\.recordedAt) == [9_000, 9_000, 9_500])
        #expect(try journal.log.position(recordedUpTo: 8_999) == 0)
        #expect(try journal.log.position(recordedUpTo: 9_000) == 2)
        #expect(try journal.log.position(recordedUpTo: 10_000) == 3)
    }

    @Test("A thousand concurrent appends are all stored, each once")
    func groupCommit() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let streams = (0..<10).map { _ in UUID() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<1_000 {
                group.addTask {
                    _ = try await log.append([TestJournal.event(streams[index % 10], payload: "\(index)")])
                }
            }
            try await group.waitForAll()
        }
        let payloads = try log.events(after: 0, limit: 2_000).map { String(decoding: try log.open($0), as: UTF8.self) }
        #expect(Set(payloads) == Set((0..<1_000).map(String.init)))
        #expect(payloads.count == 1_000)
        for stream in streams { #expect(try log.version(of: stream) == 100) }
        #expect(try log.verify().isSound)
    }
}

/// A clock that returns the given times one after the other, and the last one forever.
final class TimeSource: Sendable {
    private let times: Guarded<[Int64]>

    init(_ times: [Int64]) {
        self.times = Guarded(times)
    }

    func next() -> Int64 {
        times.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
}
