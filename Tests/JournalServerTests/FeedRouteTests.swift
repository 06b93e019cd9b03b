import Foundation
import HTTPTypes
import HealthModel
import HummingbirdTesting
import Interchange
import Synchronization
import Testing

@testable import HealthJournal
@testable import JournalServer

/// A program that talks to the live service, and the lines it has printed so far.
private final class Talk: Sendable {
    private let process: Process
    private let input = Pipe()
    private let state = Mutex((lines: [String](), rest: [UInt8](), hasEnded: false))

    init(_ program: String, _ arguments: [String]) throws {
        process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        Thread.detachNewThread { [self] in
            while case let more = output.fileHandleForReading.availableData, !more.isEmpty {
                state.withLock { state in
                    state.rest += more
                    while let end = state.rest.firstIndex(of: 0x0A) {
                        state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                        state.rest.removeFirst(end + 1)
                    }
                }
            }
            state.withLock { $0.hasEnded = true }
        }
    }

    deinit { stop() }

    var lines: [String] { state.withLock(\.lines) }
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    func say(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }
    func end() throws { try input.fileHandleForWriting.close() }
    /// Killed: a service's tests leave it to themselves what a gentler signal does, and children inherit that.
    func stop() { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Waits until something is so; false when it did not come about in twenty seconds.
    func comes(_ isSo: (Talk) -> Bool) async throws -> Bool {
        let limit = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < limit {
            if isSo(self) { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return isSo(self)
    }

    static let curl = "/usr/bin/curl"
    /// Where tools/python-packages puts what tests need of them.
    static let python = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: ".build-python/bin/python3").path

    static func has(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }
}

@Suite("The feed over HTTP", .serialized)
struct FeedRouteTests {
    private func address(_ client: ServiceClient) throws -> String {
        "http://127.0.0.1:\(try #require(client.client.port))"
    }

    private func follow(_ client: ServiceClient, _ query: String = "", _ headers: String...) throws -> Talk {
        let token = try #require(client.token)
        let all = ["Authorization: Bearer \(token)", "Accept: text/event-stream"] + headers
        let address = try address(client) + "/v1/events" + query
        return try Talk(Talk.curl, ["-sN", address] + all.flatMap { ["-H", $0] })
    }

    private func add(_ client: ServiceClient, _ record: String, _ value: Int) async throws {
        let answer = try await client.post("/v1/records/\(record)/entries/weight", #"{"value": "\#(value)"}"#)
        #expect(answer.status == 201)
    }

    @Test("Pages of lines join up by their links")
    func pages() async throws {
        let ground = try await ServiceGround()
        try await ground.serve { client in
            let record = try await client.person()
            for value in 1...7 { try await add(client, record, value) }
            var (next, lines): (String?, [String]) = ("/v1/events?after=0&limit=3&type=entry.added", [])
            for _ in 0..<4 {
                let page = try await client.get(try #require(next))
                #expect(page.status == 200 && page.headers[.contentType] == "application/x-ndjson")
                lines += page.text.split(separator: "\n").map(String.init)
                let link = page.headers[.link] ?? ""
                next = link.hasSuffix(#">; rel="next""#) ? String(link.dropFirst().prefix { $0 != ">" }) : nil
            }
            let values = try lines.map { try JSONReader.read(Array($0.utf8))["data"]?.text("value") }
            #expect(values == (1...7).map(String.init))
            #expect(try await client.get("/v1/events?type=entry.edded").text("field") == "type")
            #expect(try await client.get("/v1/events?limit=1001").text("field") == "limit")
            #expect(try await client.get("/v1/events?after=99999").status == 404)
            #expect(try await client.with(nil).get("/v1/events").status == 401)
        }
    }

    @Test("Follows live, and goes on where it was cut off", .enabled(if: Talk.has(Talk.curl)))
    func live() async throws {
        let ground = try await ServiceGround()
        try await ground.serve(.live) { client in
            let record = try await client.person()
            let first = try follow(client, "?type=entry.added")
            #expect(try await first.comes { $0.lines.contains { $0.hasPrefix("id: ") } })
            for value in 1...3 { try await add(client, record, value) }
            #expect(try await first.comes { $0.lines.count { $0.hasPrefix("data: ") } == 3 })
            first.stop()
            #expect(try await first.comes(\.hasEnded))
            let last = try #require(first.lines.last { $0.hasPrefix("id: ") })
            for value in 4...6 { try await add(client, record, value) }
            let second = try follow(client, "?type=entry.added", "Last-Event-ID: \(last.dropFirst(4))")
            #expect(try await second.comes { $0.lines.count { $0.hasPrefix("data: ") } == 3 })
            let values = try (first.lines + second.lines).filter { $0.hasPrefix("data: ") }
                .map { try JSONReader.read(Array($0.dropFirst(6).utf8))["data"]?.text("value") }
            #expect(values == (1...6).map(String.init))
            #expect(second.lines.contains("event: entry.added"))
            second.stop()
        }
    }

    @Test("A revoke ends a caregiver's stream within a second", .enabled(if: Talk.has(Talk.curl)))
    func revoked() async throws {
        let ground = try await ServiceGround()
        try await ground.serve(.live) { client in
            let record = try await client.person()
            let anna = try await ground.account("anna")
            let caregiver = "/v1/records/\(record)/caregivers/\(anna.id.text)"
            #expect(try await client.send(.put, caregiver, "{}").status < 300)
            let stream = try follow(client.with(anna.token), "?after=0")
            try await add(client, record, 1)
            #expect(try await stream.comes { $0.lines.contains { $0.hasPrefix("data: ") } })
            #expect(try await client.send(.delete, caregiver).status < 300)
            let revoked = ContinuousClock.now
            try await add(client, record, 2)
            #expect(try await stream.comes(\.hasEnded))
            #expect(ContinuousClock.now - revoked < .seconds(1.5))
            #expect(stream.lines.contains("event: problem"))
            #expect(stream.lines.count { $0.hasPrefix("event: entry.added") } == 1)
        }
    }

    @Test("A line is answered before the next is sent", .enabled(if: Talk.has(Talk.curl)))
    func duplex() async throws {
        let ground = try await ServiceGround()
        try await ground.serve(.live) { client in
            let lab = try await ground.account("lab", .tool, .append(category: nil))
            let talk = try Talk(
                Talk.curl,
                [
                    "-sN", "-X", "POST", "-T", ".", try address(client) + "/v1/events", "-H", "Expect:",
                    "-H", "Authorization: Bearer \(lab.token)", "-H", "Content-Type: application/x-ndjson",
                ]
            )
            for number in 1...5 {
                try talk.say(#"{"specversion": "1.0", "id": "\#(number)", "source": "/lab", "type": "t", "data": 1}"#)
                #expect(try await talk.comes { $0.lines.count == number })
                #expect(talk.lines.last?.contains(#""id":"\#(number)""#) == true)
            }
            try talk.end()
            #expect(try await talk.comes(\.hasEnded))
        }
    }

    @Test("The Python SDK of CloudEvents posts as it is", .enabled(if: Talk.has(Talk.python)))
    func python() async throws {
        let ground = try await ServiceGround()
        try await ground.serve(.live) { client in
            let record = try await client.person()
            let scale = try await ground.account("scale", .tool, .append(category: nil))
            let terms = #"{"sections": ["myhealth"], "verbs": ["contribute"]}"#
            #expect(
                try await client.send(.put, "/v1/records/\(record)/caregivers/\(scale.id.text)", terms).status < 300
            )
            let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "post_events.py").path
            let talk = try Talk(Talk.python, ["-B", program, try address(client), scale.token, record])
            #expect(try await talk.comes(\.hasEnded))
            let answers = try talk.lines.map { try JSONReader.read(Array($0.utf8)) }
            let statuses = answers.map { $0["status"] }
            #expect(statuses == [201, 201, 201, 201, 201, 409, 201].map { .integer($0) })
            try #require(answers.count == 7)
            #expect(answers[3] == answers[0] && answers[4] == answers[1])
            let weights = try await client.get("/v1/records/\(record)/entries/weight").items("entries")
            #expect(weights.map { $0.text("value") } == ["72.5", "72.4", "72.3"])
            #expect(weights.map { $0.text("date") } == (1...3).map { "2026-03-01T07:00:0\($0)Z" })
            #expect(try await client.get("/v1/events?type=external.received").text.contains(#"Küche \"groß\""#))
        }
    }
}
