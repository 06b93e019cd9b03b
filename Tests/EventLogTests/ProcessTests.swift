import EventLog
import Foundation
import TestSupport
import Testing

@Suite("Several processes", .serialized)
struct ProcessTests {
    /// The acknowledgement of an append that a `LogWriter` process printed.
    private struct Acknowledgement: Hashable {
        let number: Int
        let position: UInt64
        let isRepeated: Bool

        init?(_ line: String) {
            let words = line.split(separator: " ")
            guard words.count == 4, words[0] == "ack", let number = Int(words[1]), let position = UInt64(words[2])
            else {
                return nil
            }
            (self.number, self.position, isRepeated) = (number, position, words[3] == "true")
        }
    }

    private func run(_ children: [ChildProcess]) async throws -> [[Acknowledgement]] {
        for child in children { #expect(child.readLine() == "ready") }
        for child in children { try child.say("go") }
        // A child blocks when its pipe is full, so that all children must be read concurrently.
        return try await withThrowingTaskGroup(of: (Int, [Acknowledgement]).self) { group in
            for (index, child) in children.enumerated() {
                group.addTask { (index, child.readLines().compactMap(Acknowledgement.init)) }
            }
            let all = try await group.reduce(into: []) { $0.append($1) }
            return all.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    @Test("Two processes append 5,000 events each, to their own streams or to shared ones", arguments: [true, false])
    func together(isShared: Bool) async throws {
        let journal = try TestJournal()
        let children = try [(0, 1), (5_000, isShared ? 1 : 2)]
            .map { first, tag in
                try journal.writer(from: first, count: 5_000, streams: 10, tag: UInt8(tag))
            }
        let answers = try await run(children)
        for child in children { #expect(child.wait() == 0) }
        #expect(answers.map(\.count) == [5_000, 5_000])

        let positions = answers.joined().map(\.position).sorted()
        #expect(positions == Array(1...10_000))
        let found = try journal.log.verify()
        #expect(found.faults == [])
        #expect(found.head == 10_000)
        #expect(found.sealsOpened == 10_000)
        let payloads = try journal.payloads()
        for (index, own) in answers.enumerated() {
            let tag = index == 0 || isShared ? 1 : 2
            for answer in own { #expect(payloads[Int(answer.position) - 1] == "\(tag):\(answer.number)") }
        }
        var streams: [UUID: UInt64] = [:]
        try journal.log.forEachFrame(through: 10_000) { frame in
            streams[frame.stream, default: 0] += 1
            #expect(frame.streamPosition == streams[frame.stream])
            return true
        }
        #expect(streams.count == (isShared ? 10 : 20))
        for (stream, count) in streams { #expect(try journal.log.version(of: stream) == count) }
    }

    @Test("Idempotency keys that two processes use concurrently are stored once each")
    func sharedKeys() async throws {
        let journal = try TestJournal()
        let children = try (0..<2).map { _ in try journal.writer(count: 2_000, streams: 10, tag: 3, isKeyed: true) }
        let answers = try await run(children)
        #expect(answers.map(\.count) == [2_000, 2_000])
        #expect(try journal.log.head() == 2_000)
        #expect(Set(try journal.payloads()).count == 2_000)
        let byNumber = answers.map { Dictionary(uniqueKeysWithValues: $0.map { ($0.number, $0) }) }
        for number in 0..<2_000 {
            let (one, two) = (byNumber[0][number], byNumber[1][number])
            #expect(one?.position == two?.position)
            #expect(one?.isRepeated != two?.isRepeated)
        }
        #expect(try journal.log.verify().isSound)
    }

    @Test("Appends of this process and of another interleave without conflicts")
    func turns() async throws {
        let journal = try TestJournal()
        let child = try journal.writer(count: 500, streams: 3, tag: 6)
        #expect(child.readLine() == "ready")
        try child.say("go")
        let stream = UUID()
        for number in 0..<100 {
            let expected = Expectation(stream, .exact(UInt64(number)))
            try await journal.log.append([TestJournal.event(stream)], expecting: [expected])
            #expect(try journal.log.version(of: stream) == UInt64(number + 1))
        }
        #expect(child.readLines().count == 500)
        #expect(try journal.log.head() == 600)
        #expect(try journal.log.verify().isSound)
    }

    @Test("A follower sees what another process appends")
    func follow() async throws {
        let journal = try TestJournal()
        let child = try journal.writer(count: 300, streams: 3, tag: 7)
        #expect(child.readLine() == "ready")
        let log = journal.log
        let follower = Task {
            var seen: UInt64 = 0
            while seen < 300 {
                let head = try await log.waitForEvents(after: seen)
                #expect(head > seen)
                seen = head
            }
            return seen
        }
        try child.say("go")
        #expect(child.readLines().count == 300)
        #expect(try await follower.value == 300)
    }

    @Test("A follower of an idle log can be cancelled")
    func cancelledFollower() async throws {
        let journal = try TestJournal()
        let log = journal.log
        let follower = Task { try await log.waitForEvents(after: 0) }
        follower.cancel()
        await #expect(throws: CancellationError.self) { try await follower.value }
    }

    @Test("Verification while another process appends finds no faults")
    func verifyBeside() async throws {
        let journal = try TestJournal()
        let child = try journal.writer(count: 3_000, streams: 5, tag: 8)
        #expect(child.readLine() == "ready")
        try child.say("go")
        var heads: [UInt64] = []
        repeat {
            let found = try journal.log.verify()
            #expect(found.faults == [])
            heads.append(found.head)
        } while heads.last != 3_000
        #expect(heads == heads.sorted())
        #expect(child.readLines().count == 3_000)
    }

    @Test("After kill -9 at any moment every acknowledged event is stored once, and appends succeed again")
    func kills() async throws {
        var random = SeededGenerator()
        let journal = try TestJournal()
        journal.close()
        var acknowledged: [Int: UInt64] = [:]
        for round in 0..<10 {
            // Each round starts 100 numbers before the last acknowledged one, so that some ids are repeated.
            let first = max(0, (acknowledged.keys.max() ?? 0) - 100)
            let child = try journal.writer(from: first, count: 100_000, streams: 40, tag: 9, isKeyed: true)
            #expect(child.readLine() == "ready")
            try child.say("go")
            let lines = Int.random(in: 0..<1_200, using: &random)
            for _ in 0..<lines {
                _ = child.readLine().flatMap(Acknowledgement.init).map { acknowledged[$0.number] = $0.position }
            }
            child.kill9()
            for answer in child.readLines().compactMap(Acknowledgement.init) {
                acknowledged[answer.number] = answer.position
            }
            try journal.open()
            let found = try journal.log.verify()
            #expect(found.faults == [], "round \(round)")
            let payloads = try journal.payloads()
            #expect(Set(payloads).count == payloads.count)
            for (number, position) in acknowledged { #expect(payloads[Int(position) - 1] == "9:\(number)") }
            try await journal.log.append([TestJournal.event(payload: "round \(round)")])
            journal.close()
        }
        #expect(acknowledged.count > 100)
        try journal.open()
    }
}
