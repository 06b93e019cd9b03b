import Foundation
import TestSupport
import Testing

@testable import EventLog

@Suite("The decider of appends")
struct DeciderTests {
    private let one = TestJournal.id(1)
    private let other = TestJournal.id(2)

    /// The outcome of an append, without the recorded time.
    fileprivate enum Outcome: Hashable {
        case appended(first: UInt64, last: UInt64)
        case repeated(first: UInt64, last: UInt64)
        case refused(EventLogError.Code)

        init(_ result: Result<AppendResult, EventLogError>) {
            switch result {
            case .success(let result) where result.isRepeated:
                self = .repeated(first: result.first, last: result.last)
            case .success(let result): self = .appended(first: result.first, last: result.last)
            case .failure(let error): self = .refused(error.code)
            }
        }
    }

    private func outcomes(_ log: inout MemoryLog, _ appends: MemoryLog.Append...) throws -> [Outcome] {
        try log.commit(appends).map(Outcome.init)
    }

    @Test("An append sees the versions that earlier appends of the same commit have made")
    func versions() throws {
        var log = MemoryLog()
        let found = try outcomes(
            &log,
            .init([TestJournal.event(one)], expecting: [Expectation(one, .empty)]),
            .init([TestJournal.event(one)], expecting: [Expectation(one, .empty)]),
            .init([TestJournal.event(one)], expecting: [Expectation(one, .exact(1))]),
            .init([TestJournal.event(other)], expecting: [Expectation(other, .exists)]),
            .init([TestJournal.event(other)], expecting: [Expectation(one, .exact(2)), Expectation(other, .empty)])
        )
        #expect(
            found == [
                .appended(first: 1, last: 1), .refused(.versionConflict), .appended(first: 2, last: 2),
                .refused(.versionConflict), .appended(first: 3, last: 3),
            ]
        )
        #expect(
            try outcomes(&log, .init([TestJournal.event(one)], expecting: [Expectation(one, .exact(2))]))
                == [.appended(first: 4, last: 4)]
        )
        #expect(log.events.map(\.stamp.streamPosition) == [1, 2, 1, 3])
    }

    @Test("A key is recognised in the same commit and in later ones, and other content under it is refused")
    func keys() throws {
        var log = MemoryLog()
        let keyed = TestJournal.event(one, id: TestJournal.keyed(1), payload: "first")
        let changed = TestJournal.event(one, id: TestJournal.keyed(1), payload: "second")
        let expected: [Outcome] = [
            .appended(first: 1, last: 1), .repeated(first: 1, last: 1), .refused(.keyConflict),
        ]
        #expect(try outcomes(&log, .init([keyed]), .init([keyed]), .init([changed])) == expected)
        #expect(try outcomes(&log, .init([keyed]), .init([changed])) == Array(expected.dropFirst()))
        // A key precedes an expected version: the repeated append is not refused because of its own effect.
        #expect(
            try outcomes(&log, .init([keyed], expecting: [Expectation(one, .empty)])) == [.repeated(first: 1, last: 1)]
        )
        #expect(log.events.count == 1)
    }

    @Test("After an erasure, appends to its subject are refused, in the same commit and later")
    func erasures() throws {
        var log = MemoryLog()
        let event = TestJournal.event(one, subject: one)
        let erasure = MemoryLog.Append([TestJournal.event(other, subject: other)], erasing: one)
        #expect(
            try outcomes(&log, .init([event]), erasure, .init([event]), erasure)
                == [
                    .appended(first: 1, last: 1), .appended(first: 2, last: 2), .refused(.subjectErased),
                    .refused(.subjectErased),
                ]
        )
        #expect(try outcomes(&log, .init([event]), erasure) == [.refused(.subjectErased), .refused(.subjectErased)])
    }

    @Test("Appends are decided alike in groups in memory and one by one in LMDB, and their frames get the same links")
    func equivalence() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        var log = MemoryLog()
        var group: [MemoryLog.Append] = []
        var (stored, decided): ([Outcome], [Outcome]) = ([], [])
        var sent: [MemoryLog.Append] = []
        for _ in 0..<400 {
            let isRepeated = Int.random(in: 0..<5, using: &random) == 0
            let append = (isRepeated ? sent.randomElement(using: &random) : nil) ?? randomAppend(&random)
            sent.append(append)
            do throws(EventLogError) {
                let result = try await journal.log.append(append.events, expecting: append.expectations)
                stored.append(Outcome(.success(result)))
            } catch {
                stored.append(Outcome(.failure(error)))
            }
            group.append(append)
            if Int.random(in: 0..<4, using: &random) == 0 {
                decided += try log.commit(group).map(Outcome.init)
                group = []
            }
        }
        decided += try log.commit(group).map(Outcome.init)
        #expect(decided == stored)
        #expect(Set(stored.map(\.kind)) == ["appended", "repeated", "keyConflict", "versionConflict"])
        let frames = try journal.log.events(after: 0, limit: log.events.count + 1)
        #expect(frames.count == log.events.count)
        for (frame, event) in zip(frames, log.events) {
            #expect(frame.header == event.header)
            #expect(frame.position == event.stamp.position)
            #expect(frame.streamPosition == event.stamp.streamPosition)
            #expect(frame.previous == event.stamp.previous)
            #expect(frame.skip == event.stamp.skip)
        }
    }

    /// One to six events of a few streams, some with a key, some with an expected version.
    private func randomAppend(_ random: inout SeededGenerator) -> MemoryLog.Append {
        var used: Set<Int> = []
        let events = (0..<Int.random(in: 1...6, using: &random))
            .map { _ in
                let stream = TestJournal.id(Int.random(in: 0..<4, using: &random))
                let key = Int.random(in: 0..<400, using: &random)
                guard key < 100, used.insert(key).inserted else { return TestJournal.event(stream) }
                return TestJournal.event(
                    TestJournal.id(key % 4),
                    id: TestJournal.id(key, version: 5),
                    payload: Bool.random(using: &random) ? "same" : "other"
                )
            }
        var append = MemoryLog.Append(Bool.random(using: &random) ? events : Array(events.prefix(1)))
        if Int.random(in: 0..<4, using: &random) == 0 {
            let version =
                [.any, .empty, .exists, .exact(UInt64.random(in: 0..<30, using: &random))] as [ExpectedVersion]
            append.expectations = [
                Expectation(
                    TestJournal.id(Int.random(in: 0..<4, using: &random)),
                    version.randomElement(using: &random) ?? .any
                )
            ]
        }
        return append
    }
}

extension DeciderTests.Outcome {
    /// The outcome without its positions.
    fileprivate var kind: String {
        switch self {
        case .appended: "appended"
        case .repeated: "repeated"
        case .refused(let code): "\(code)"
        }
    }
}
