import EventLog
import Foundation
import TestSupport
import Testing

@Suite("Reading")
struct ReadingTests {
    @Test("Pages of any length join to the whole log, and limits and positions out of range are handled")
    func pages() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        let subject = UUID()
        for number in 0..<50 {
            try await journal.log.append([TestJournal.event(TestJournal.id(number % 3), subject: subject)])
        }
        for _ in 0..<10 {
            var all: [UInt64] = []
            while all.count < 50 {
                let limit = Int.random(in: 1...20, using: &random)
                let page = try journal.log.events(after: UInt64(all.count), limit: limit)
                #expect(page.count == min(limit, 50 - all.count))
                all += page.map(\.position)
            }
            #expect(all == Array(1...50))
        }
        for (start, limit) in [(50, 10), (51, 10), (UInt64.max, 10), (UInt64.max - 5, Int.max), (0, 0), (0, -1)] {
            #expect(try journal.log.events(after: start, limit: limit).isEmpty)
        }
        #expect(try journal.log.events(after: 48, limit: .max).count == 2)

        let stream = TestJournal.id(0)
        for version in 1...17 as ClosedRange<UInt64> {
            let limit = Int.random(in: 1...20, using: &random)
            let found = try journal.log.events(of: stream, from: version, limit: limit).map(\.streamPosition)
            #expect(found == Array((version...17).prefix(limit)))
        }
        for (version, limit) in [(18, 1), (UInt64.max, 10), (UInt64.max, Int.max), (1, 0), (1, -1), (0, 5)] {
            #expect(try journal.log.events(of: stream, from: version, limit: limit).isEmpty)
        }
        #expect(try journal.log.events(of: stream, from: 16, limit: .max).count == 2)
        #expect(try journal.log.events(of: UUID()).isEmpty)
        #expect(try journal.log.newest(of: UUID()) == nil)
        for position in [0, 51, UInt64.max] {
            #expect(throws: EventLogError.self) { try journal.log.event(at: position) }
        }
    }

    @Test("Frames are read across several snapshots, up to the head and no further than requested")
    func frames() async throws {
        let journal = try TestJournal()
        let subject = UUID()
        for _ in 0..<3 {
            try await journal.log.append((0..<3_000).map { _ in TestJournal.event(subject: subject, payload: "") })
        }
        for end in [9_000, 9_001, UInt64.max] {
            var next: UInt64 = 0
            try journal.log.forEachFrame(through: end) { frame in
                next += 1
                #expect(frame.position == next)
                return true
            }
            #expect(next == 9_000)
        }
        var seen: [UInt64] = []
        try journal.log.forEachFrame(after: 4_090, through: 9_000) { frame in
            seen.append(frame.position)
            return seen.count < 10
        }
        #expect(seen == Array(4_091...4_100))
        try journal.log.forEachFrame(after: 9_000, through: 9_000) { _ in
            Issue.record("there is nothing after the head")
            return true
        }
    }

    @Test("The position found for a recorded time equals that of a linear search")
    func recordedUpTo() async throws {
        var random = SeededGenerator()
        var times: [Int64] = []
        for _ in 0..<60 { times.append(Int64.random(in: 0...40, using: &random) + Int64(times.count / 4)) }
        let source = TimeSource([0] + times)
        let journal = try TestJournal(now: { source.next() })
        for _ in times { try await journal.log.append([TestJournal.event()]) }
        let recorded = try journal.log.events(after: 0).map(\.recordedAt)
        #expect(recorded == recorded.sorted())
        #expect(zip(recorded, times).allSatisfy { $0 >= $1 })
        for time in [Int64.min, -1] + Array(0...70) + [Int64.max] {
            let expected = recorded.lastIndex { $0 <= time }.map { UInt64($0 + 1) } ?? 0
            #expect(try journal.log.position(recordedUpTo: time) == expected)
        }
    }

    @Test("Every version of random streams can be read, whether or not the index already contains the head")
    func streams() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        var model: [Int: [String]] = [:]
        for step in 0..<40 {
            var events: [NewEvent] = []
            for number in 0..<Int.random(in: 1...60, using: &random) {
                let stream = Int.random(in: 0..<8, using: &random)
                let payload = "\(step).\(number)"
                model[stream, default: []].append(payload)
                events.append(TestJournal.event(TestJournal.id(stream), payload: payload))
            }
            try await journal.log.append(events)
            if step == 20 { try journal.reopen() }
            for (stream, payloads) in model {
                let id = TestJournal.id(stream)
                #expect(try journal.log.version(of: id) == UInt64(payloads.count))
                let version = Int.random(in: 1...payloads.count, using: &random)
                let found = try journal.log.events(of: id, from: UInt64(version), limit: 5)
                let texts = try found.map { String(decoding: try journal.log.open($0), as: UTF8.self) }
                #expect(texts == Array(payloads[(version - 1)...].prefix(5)))
            }
        }
        #expect(try journal.log.verify().isSound)
    }

    @Test("Concurrent readers see every append that was acknowledged to them")
    func readingBesideAppends() async throws {
        let journal = try TestJournal()
        let log = journal.log
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 1...60 as ClosedRange<UInt64> {
                        try await log.append([TestJournal.event(TestJournal.id(task), payload: "\(number)")])
                        #expect(try log.version(of: TestJournal.id(task)) == number)
                        #expect(try log.newest(of: TestJournal.id(task))?.streamPosition == number)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try log.head() == 480)
    }

    @Test("A read-only journal refuses appends")
    func readOnly() async throws {
        let journal = try TestJournal()
        try await journal.log.append([TestJournal.event()])
        journal.options.isReadOnly = true
        try journal.reopen()
        await #expect { try await journal.log.append([TestJournal.event()]) } throws: {
            ($0 as? EventLogError)?.code == .readOnly
        }
        #expect(try journal.payloads() == ["payload"])
        #expect(try journal.log.verify().isSound)
    }
}
