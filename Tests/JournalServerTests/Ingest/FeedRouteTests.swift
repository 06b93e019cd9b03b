import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Event feed over HTTP")
struct FeedRouteTests {
    @Test("Links lead from each page of lines to the next")
    func pages() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            for value in 1...7 {
                let answer = try await client.post("/v1/records/\(record)/entries/weight", #"{"value": "\#(value)"}"#)
                #expect(answer.status == 201)
            }
            var (next, lines): (String?, [String]) = ("/v1/events?after=0&limit=3&type=entry.added", [])
            for _ in 0..<4 {
                let page = try await client.get(try #require(next))
                #expect(page.status == 200)
                #expect(page.headers[.contentType] == "application/x-ndjson")
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

@Suite("Live feed over HTTP", .serialized, .enabled(if: Talk.hasCurl, "needs curl"))
struct LiveFeedRouteTests {
    private func person(_ fixture: ServiceFixture) async throws -> UUID {
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida")
        return try #require(try await fixture.journal.records.createRecord(profile, fixture.owner).record)
    }

    private func add(_ fixture: ServiceFixture, _ value: Int, to record: UUID) async throws {
        var weight = EntryContent(kind: Weight.kind)
        try weight.set("value", text: "\(value)")
        _ = try await fixture.journal.entries.addEntry(weight, to: record, fixture.owner)
    }

    @Test("A live feed delivers new events, and is resumed with Last-Event-ID")
    func live() async throws {
        let fixture = try await ServiceFixture()
        let record = try await person(fixture)
        try await fixture.live { port in
            let first = try Talk.follow(port, fixture.token, "?type=entry.added")
            #expect(try await first.comes { $0.lines.contains { $0.hasPrefix("id: ") } })
            for value in 1...3 { try await add(fixture, value, to: record) }
            #expect(try await first.comes { $0.events.count == 3 })
            first.stop()
            #expect(try await first.comes(\.hasEnded))
            let last = try #require(first.lines.last { $0.hasPrefix("id: ") })
            for value in 4...6 { try await add(fixture, value, to: record) }
            let second = try Talk.follow(
                port,
                fixture.token,
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

    /// The reasons for which a stream ends.
    enum Loss: CaseIterable, Sendable {
        case ofGrant, ofToken, ofErasedRecord
    }

    @Test("An open stream ends when a caregiver's access is lost", arguments: Loss.allCases)
    func revoked(_ loss: Loss) async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner) = (fixture.journal, fixture.owner)
        let record = try await person(fixture)
        let anna = try await fixture.account("anna")
        _ = try await journal.sharing.grant(GrantTerms(), to: anna.id, on: record, owner)
        let token = try await journal.accounts.issueToken(to: anna.id, scope: .read, expires: nil, owner)
        try await fixture.live { port in
            let stream = try Talk.follow(port, token.secret, "?after=0&type=entry.added")
            try await add(fixture, 1, to: record)
            #expect(try await stream.comes { $0.events.count == 1 })
            let taken = ContinuousClock.now
            switch loss {
            case .ofGrant: _ = try await journal.sharing.revoke(anna.id, on: record, owner)
            case .ofToken: _ = try await journal.accounts.revokeToken(token.id, of: anna.id, owner)
            case .ofErasedRecord:
                var eraser = owner
                eraser.reason = "asked for"
                _ = try await journal.erasure.eraseRecord(record, eraser)
            }
            if loss != .ofErasedRecord { try await add(fixture, 2, to: record) }
            #expect(try await stream.comes(\.hasEnded))
            let ended = try #require(stream.ended)
            print("a caregiver's open stream ended \(ended - taken) after the loss \(loss)")
            // Later events are not delivered, and the last event is the problem that ended the stream.
            #expect(stream.lines.count { $0 == "event: entry.added" } == 1)
            let at = try #require(stream.lines.firstIndex(of: "event: problem"))
            let problem = try JSONReader.read(Array(stream.lines[at + 1].dropFirst(6).utf8))
            #expect(problem.text("type") == (loss == .ofToken ? ProblemType.unauthenticated : .refused).urn)
        }
    }

    @Test("A stream without events sends heartbeats")
    func heartbeats() async throws {
        let fixture = try await ServiceFixture()
        let settings = ServerSettings(port: 0, ingest: IngestLimits(heartbeat: .milliseconds(10)))
        try await fixture.live(settings) { port in
            let stream = try Talk.follow(port, fixture.token)
            #expect(try await stream.comes { $0.lines.count { $0 == ":" } >= 3 })
            #expect(stream.events.isEmpty)
            #expect(!stream.hasEnded)
        }
    }

    @Test("The number of open streams is limited per account and in total, and a closed stream frees a slot")
    func places() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna")
        let ben = try await fixture.account("ben")
        let limits = IngestLimits(streamsPerAccount: 2, streams: 3, heartbeat: .milliseconds(10))
        try await fixture.live(ServerSettings(port: 0, ingest: limits)) { port in
            // HEAD requests take no slot.
            for _ in 0..<4 {
                let head = try Talk.follow(port, fixture.token, "", ["-I"])
                #expect(try await head.comes(\.hasEnded))
                #expect(head.status == "200")
            }
            let mine = try (0..<2).map { _ in try Talk.follow(port, fixture.token, "", ["-i"]) }
            for stream in mine { #expect(try await stream.comes { $0.status == "200" }) }
            try await refused(port, fixture.token, "its limit of concurrent streams (2)")
            let third = try Talk.lines(port, anna.token, ["-i"])
            try third.say(#"{"specversion": "1.0", "id": "1", "source": "/lab", "type": "t"}"#)
            #expect(try await third.comes { $0.status == "200" })
            try await refused(port, ben.token, "the service has reached its limit of concurrent streams")
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
