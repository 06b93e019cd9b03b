import Foundation
import HTTPTypes
import HealthModel
import Interchange
import Testing

@testable import HealthJournal
@testable import JournalServer

@Suite("The feed over HTTP")
struct FeedRouteTests {
    @Test("Pages of lines join up by their links")
    func pages() async throws {
        let ground = try await ServiceGround()
        try await ground.serve { client in
            let record = try await client.person()
            for value in 1...7 {
                let answer = try await client.post("/v1/records/\(record)/entries/weight", #"{"value": "\#(value)"}"#)
                #expect(answer.status == 201)
            }
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
            #expect(try await client.get("/v1/events?stream=").text("field") == "stream")
            #expect(try await client.get("/v1/events?after=99999").status == 404)
            #expect(try await client.with(nil).get("/v1/events").status == 401)
            let live = [("Accept", "text/event-stream"), ("Last-Event-ID", "x")]
            #expect(try await client.get("/v1/events", live).text("field") == "Last-Event-ID")
        }
    }
}

@Suite("The live feed over HTTP", .serialized, .enabled(if: Talk.hasCurl, "needs curl"))
struct LiveFeedRouteTests {
    private func person(_ ground: ServiceGround) async throws -> UUID {
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida")
        return try #require(try await ground.journal.createRecord(profile, ground.owner).record)
    }

    private func add(_ ground: ServiceGround, _ value: Int, to record: UUID) async throws {
        var weight = EntryContent(kind: Weight.kind)
        try weight.set("value", text: "\(value)")
        _ = try await ground.journal.addEntry(weight, to: record, ground.owner)
    }

    @Test("Follows live, and goes on where it was cut off")
    func live() async throws {
        let ground = try await ServiceGround()
        let record = try await person(ground)
        try await ground.live { port in
            let first = try Talk.follow(port, ground.token, "?type=entry.added")
            #expect(try await first.comes { $0.lines.contains { $0.hasPrefix("id: ") } })
            for value in 1...3 { try await add(ground, value, to: record) }
            #expect(try await first.comes { $0.events.count == 3 })
            first.stop()
            #expect(try await first.comes(\.hasEnded))
            let last = try #require(first.lines.last { $0.hasPrefix("id: ") })
            for value in 4...6 { try await add(ground, value, to: record) }
            let second = try Talk.follow(
                port,
                ground.token,
                "?type=entry.added",
                ["-H", "Last-Event-ID: \(last.dropFirst(4))"]
            )
            #expect(try await second.comes { $0.events.count == 3 })
            let values = try (first.events + second.events)
                .map { try JSONReader.read(Array($0.utf8))["data"]?.text("value") }
            #expect(values == (1...6).map(String.init))
            #expect(second.lines.contains("event: entry.added"))
        }
    }

    /// What ends somebody's stream.
    enum Loss: CaseIterable, Sendable {
        case ofGrant, ofToken, ofErasedRecord
    }

    @Test("What lets a caregiver in is taken back: the open stream ends", arguments: Loss.allCases)
    func revoked(_ loss: Loss) async throws {
        let ground = try await ServiceGround()
        let (journal, owner) = (ground.journal, ground.owner)
        let record = try await person(ground)
        let anna = try await ground.account("anna")
        _ = try await journal.grant(GrantTerms(), to: anna.id, on: record, owner)
        let token = try await journal.issueToken(to: anna.id, scope: .read, expires: nil, owner)
        try await ground.live { port in
            let stream = try Talk.follow(port, token.secret, "?after=0&type=entry.added")
            try await add(ground, 1, to: record)
            #expect(try await stream.comes { $0.events.count == 1 })
            let taken = ContinuousClock.now
            switch loss {
            case .ofGrant: _ = try await journal.revoke(anna.id, on: record, owner)
            case .ofToken: _ = try await journal.revokeToken(token.id, of: anna.id, owner)
            case .ofErasedRecord:
                var eraser = owner
                eraser.reason = "asked for"
                _ = try await journal.eraseRecord(record, eraser)
            }
            if loss != .ofErasedRecord { try await add(ground, 2, to: record) }
            #expect(try await stream.comes(\.hasEnded))
            let ended = try #require(stream.ended)
            print("a caregiver's open stream ended \(ended - taken) after the loss \(loss)")
            // What came behind it was not shown, and what ended it was said.
            #expect(stream.lines.count { $0 == "event: entry.added" } == 1)
            let at = try #require(stream.lines.firstIndex(of: "event: problem"))
            let problem = try JSONReader.read(Array(stream.lines[at + 1].dropFirst(6).utf8))
            #expect(problem.text("type") == (loss == .ofToken ? ProblemType.unauthenticated : .refused).urn)
        }
    }

    @Test("Says that it lives when nothing happens")
    func heartbeats() async throws {
        let ground = try await ServiceGround()
        let settings = ServerSettings(port: 0, door: DoorLimits(heartbeat: .milliseconds(10)))
        try await ground.live(settings) { port in
            let stream = try Talk.follow(port, ground.token)
            #expect(try await stream.comes { $0.lines.count { $0 == ":" } >= 3 })
            #expect(stream.events.isEmpty && !stream.hasEnded)
        }
    }

    @Test("So many streams are open at once, of one account and of all, and a place that is left is another's")
    func places() async throws {
        let ground = try await ServiceGround()
        let anna = try await ground.account("anna")
        let ben = try await ground.account("ben")
        let limits = DoorLimits(streamsPerAccount: 2, streams: 3, heartbeat: .milliseconds(10))
        try await ground.live(ServerSettings(port: 0, door: limits)) { port in
            // Nobody who only asks for its head takes a place.
            for _ in 0..<4 {
                let head = try Talk.follow(port, ground.token, "", ["-I"])
                #expect(try await head.comes(\.hasEnded))
                #expect(head.status == "200")
            }
            let mine = try (0..<2).map { _ in try Talk.follow(port, ground.token, "", ["-i"]) }
            for stream in mine { #expect(try await stream.comes { $0.status == "200" }) }
            try await refused(port, ground.token, "this account has 2 streams open")
            let third = try Talk.lines(port, anna.token, ["-i"])
            try third.say(#"{"specversion": "1.0", "id": "1", "source": "/lab", "type": "t"}"#)
            #expect(try await third.comes { $0.status == "200" })
            try await refused(port, ben.token, "too many streams are open")
            mine[0].stop()
            var attempts = 0
            repeat {
                let next = try Talk.follow(port, ben.token, "", ["-i"])
                #expect(try await next.comes { $0.status != nil })
                if next.status == "200" { return }
                attempts += 1
                try await Task.sleep(for: .milliseconds(100))
            } while attempts < 300
            Issue.record("the place was not given back")
        }
    }

    private func refused(_ port: Int, _ token: String, _ why: String) async throws {
        let stream = try Talk.follow(port, token, "", ["-i"])
        #expect(try await stream.comes(\.hasEnded))
        #expect(stream.status == "429")
        #expect(stream.lines.contains { $0.lowercased().hasPrefix("retry-after: 5") })
        #expect(stream.lines.contains { $0.contains(why) })
    }
}
