import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Append from a pipe", .serialized)
struct AppendTests {
    private static let isLong = ProcessInfo.processInfo.environment["HEALTHJOURNAL_LONG"] != nil

    private static func lines(_ numbers: Range<Int>, _ tag: String) -> String {
        numbers.map { number in
            #"{"specversion": "1.0", "id": "\#(tag)-\#(number)", "source": "/scale", "type": "t", "data": \#(number)}"#
                + "\n"
        }
        .joined()
    }

    private static func position(_ line: String) -> Int? {
        guard let value = try? JSONReader.read(Array(line.utf8)) else { return nil }
        return try? value.integer("position")
    }

    @Test("Two processes append 5,000 events each at the same time", arguments: [true, false])
    func together(isShared: Bool) async throws {
        let tool = try CommandLineTool()
        let before = try tool.position
        let answers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for tag in ["a", "b"] {
                let running = try tool.start("append", "--stream", isShared ? "one" : tag)
                group.addTask {
                    running.feed(Self.lines(0..<5_000, tag))
                    let positions = running.lines().compactMap(Self.position)
                    #expect(running.wait() == 0)
                    return positions
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.map(\.count) == [5_000, 5_000])
        #expect(answers.joined().sorted() == Array((before + 1)...(before + 10_000)))
        for positions in answers { #expect(positions == positions.sorted(), "in the order of the lines") }
        #expect(try tool.position == before + 10_000)
    }

    @Test("After kill -9 at ten random moments and retries with the same ids, each event is stored once")
    func kills() throws {
        var random = SeededGenerator()
        let tool = try CommandLineTool()
        let before = try tool.position
        let count = Self.isLong ? 100_000 : 3_000
        let all = Self.lines(0..<count, "k")
        var answered: [String: Int] = [:]
        func take(_ lines: [String]) throws {
            for line in lines {
                let value = try JSONReader.read(Array(line.utf8))
                let (id, position) = (try value.string("id"), try value.integer("position"))
                // A repeated event always gets the position of its first answer.
                #expect(answered[id] ?? position == position)
                answered[id] = position
            }
        }
        for _ in 0..<10 {
            let running = try tool.start("append")
            let limit = Int.random(in: 1...count, using: &random)
            let delay = Int.random(in: 0..<300, using: &random)
            running.feed(all)
            if Bool.random(using: &random) {
                try take(running.lines(killAfter: limit))
            } else {
                // The kill may come at any moment, also before the first answer.
                running.kill(after: delay)
                try take(running.lines())
            }
            let head = try tool.position
            for (id, position) in answered { #expect(position <= head, "\(id) was answered and is not there") }
        }
        let last = try tool.start("append")
        last.feed(all)
        try take(last.lines())
        #expect(last.wait() == 0)
        #expect(answered.count == count)
        #expect(answered.values.sorted() == Array((before + 1)...(before + count)))
        #expect(try tool.position == before + count)
    }
}

/// Tests of events that become entries, at the command line.
@Suite("Entries appended by a tool")
struct AppendEntryTests {
    @Test("A line with a known type adds an entry, and the answer contains its id")
    func entries() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.json("account", "add", "scale", "--kind", "tool")
        let line = { (id: Int, value: String) in
            #"{"specversion": "1.0", "source": "/scale", "id": "\#(id)", "type": "org.healthjournal.weight.logged", "#
                + #""subject": "\#(record)", "time": "2026-03-01T07:00:00Z", "data": {"value": "\#(value)", "unit": "kg"}}"#
        }
        let lines = Array(
            [line(1, "72.5"), line(2, "72.4"), line(1, "72.5"), line(2, "9")].joined(separator: "\n").utf8
        )
        let denied = try tool.run(["append", "--as", "scale"], input: lines)
        #expect(denied.status == 1)
        #expect(denied.text.split(separator: "\n").allSatisfy { $0.contains("no grant") })
        #expect(try tool.run("caregiver", "grant", record, "scale").status == 1)
        try tool.json("caregiver", "grant", record, "scale", "--sections", "myhealth", "--verbs", "contribute")
        let outcome = try tool.run(["append", "--as", "scale"], input: lines)
        #expect(outcome.status == 1)
        let answers = try outcome.text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
        #expect(
            try answers.count == 4 && answers[0] == answers[2] && answers[3].string("error").contains("already used")
        )
        let listed = try tool.json("entry", "list", record, "weight").items
        #expect(try listed.map { try $0.string("id") } == answers.prefix(2).map { try $0.string("entry") })
        #expect(try listed.map { try $0.string("value") } == ["72.5", "72.4"])
        #expect(try listed[0].string("date") == "2026-03-01T07:00:00Z")
    }
}
