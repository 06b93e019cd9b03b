import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import NIOCore
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Events of other tools over HTTP")
struct IngestRouteTests {
    /// Returns a new record, and a client with the token of a scale that may add entries to its health section.
    private func scale(_ fixture: ServiceFixture, _ client: ServiceClient) async throws -> (
        record: String, client: ServiceClient
    ) {
        let record = try await client.person()
        let scale = try await fixture.account("scale", .tool, .append)
        let terms = #"{"sections": ["myhealth"], "verbs": ["contribute"]}"#
        let granted = try await client.send(.put, "/v1/records/\(record)/caregivers/\(scale.id.text)", terms)
        #expect(granted.status < 300)
        return (record, client.with(scale.token))
    }

    private func event(_ record: String, _ id: Int, _ value: String, type: String = "org.healthjournal.weight.logged")
        -> String
    {
        #"{"specversion": "1.0", "id": "\#(id)", "source": "/scale", "type": "\#(type)", "subject": "\#(record)", "#
            + #""data": {"value": "\#(value)", "unit": "kg", "date": "2026-03-01"}}"#
    }

    private let structured = [("Content-Type", "application/cloudevents+json; charset=utf-8")]

    @Test("An event in structured mode is accepted, and a repeated one gets the same answer")
    func structuredMode() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let (record, scale) = try await scale(fixture, client)
            let answer = try await scale.post("/v1/events", event(record, 1, "72.5"), structured)
            #expect(answer.status == 201)
            let entry = try #require(answer.text("entry"))
            #expect(answer.headers[.location] == "/v1/records/\(record)/entries/weight/\(entry)")
            let shown = try await client.get("/v1/records/\(record)/entries/weight/\(entry)")
            #expect(shown.text("value") == "72.5")
            #expect(shown.tag == answer.tag)
            let again = try await scale.post("/v1/events", event(record, 1, "72.5"), structured)
            #expect(again.status == 201)
            #expect(again.bytes == answer.bytes)
            #expect(again.tag == answer.tag)
            let other = try await scale.post("/v1/events", event(record, 1, "72.6"), structured)
            #expect(other.status == 409)
            #expect(other.problem == "conflict")
            let kept = try await scale.post("/v1/events?stream=lab-1", event(record, 2, "1", type: "x.y"), structured)
            #expect(kept.status == 201)
            #expect(kept.text("entry") == nil)
            #expect(kept.headers[.location] == nil)
        }
    }

    @Test("An event in binary mode is accepted, and its attributes are percent-decoded")
    func binaryMode() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let (record, scale) = try await scale(fixture, client)
            let attributes = [
                ("ce-specversion", "1.0"), ("CE-ID", "1"), ("ce-source", "/scale"), ("ce-subject", record),
                ("ce-type", "org.healthjournal.weight.logged"), ("ce-time", "2026-03-01T07:00:00Z"),
            ]
            let answer = try await scale.post("/v1/events", #"{"value": "72.5"}"#, attributes)
            #expect(answer.status == 201)
            let entry = try #require(answer.text("entry"))
            let shown = try await client.get("/v1/records/\(record)/entries/weight/\(entry)")
            #expect(shown.text("date") == "2026-03-01T07:00:00Z")
            let place =
                attributes.filter { !["ce-type", "CE-ID"].contains($0.0) }
                + [("ce-type", "x.y"), ("ce-id", "2"), ("ce-place", "K%C3%BCche%20%22gro%C3%9F%22")]
            #expect(try await scale.post("/v1/events", "5", place).status == 201)
            let events = try await client.get("/v1/events?type=external.received").text
            #expect(events.contains(#""place":"Küche \"groß\"""#))
            let bad = try await scale.post("/v1/events", "5", attributes + [("ce-place", "%FF")])
            #expect(bad.status == 400 && bad.problem == "invalid")
        }
    }

    @Test("Each event of a batch gets its own answer")
    func batches() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let (record, scale) = try await scale(fixture, client)
            let type = [("Content-Type", "application/cloudevents-batch+json")]
            let good = "[\(event(record, 1, "72.5")), \(event(record, 2, "72.4"))]"
            let answer = try await scale.post("/v1/events", good, type)
            #expect(answer.status == 200)
            #expect(answer.items("events").map { $0.text("id") } == ["1", "2"])
            let mixed = "[\(event(record, 2, "72.4")), \(event(record, 3, "heavy")), \(event(UUID().text, 4, "72"))]"
            let partly = try await scale.post("/v1/events", mixed, type)
            #expect(partly.status == 207)
            let items = partly.items("events")
            #expect(items.first == answer.items("events").last)
            #expect(items[1]["problem"]?.text("field") == "data.value")
            #expect(items[2]["problem"]?["status"] == .integer(404))
            let denied = try await scale.post("/v1/events", "[\(event(try await client.person(), 5, "1"))]", type)
            #expect(denied.status == 403)
            #expect(try await scale.post("/v1/events", "[]", type).items("events").isEmpty)
            #expect(try await scale.post("/v1/events", "[5]", type).status == 400)
        }
    }

    @Test("Lines are answered one by one, in order")
    func lines() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let (record, scale) = try await scale(fixture, client)
            let type = [("Content-Type", "application/x-ndjson")]
            var lines = (1...1_500).map { event(record, $0, "\($0)") }
            lines.insert("", at: 10)
            lines.insert("{", at: 20)
            lines.insert(event(record, 3, "4"), at: 30)
            let answer = try await scale.post("/v1/events", lines.joined(separator: "\r\n"), type)
            #expect(answer.status == 200 && answer.headers[.contentType] == "application/x-ndjson")
            let answers = try answer.text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
            #expect(answers.count == 1_502)
            #expect(answers[19]["line"] == .integer(21) && answers[29]["line"] == .integer(31))
            #expect(answers[29].text("error")?.contains("different content") == true)
            let ids = answers.compactMap { $0.text("id") }
            #expect(ids == (1...1_500).map(String.init))
            let again = try await scale.post("/v1/events", lines.joined(separator: "\n"), type)
            #expect(again.bytes == answer.bytes)
            #expect(try await scale.post("/v1/events", "", type).bytes.isEmpty)
        }
    }

    @Test("Unauthorized requests and invalid events are refused with the reason")
    func refused() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let (record, scale) = try await scale(fixture, client)
            let body = event(record, 1, "72.5")
            #expect(try await scale.with(nil).post("/v1/events", body, structured).status == 401)
            let reader = try await fixture.account("reader", .auditor, .read)
            #expect(try await client.with(reader.token).post("/v1/events", body, structured).status == 403)
            #expect(try await scale.post("/v1/events", body).status == 415)
            #expect(try await scale.post("/v1/events", "{", structured).status == 400)
            let unnamed = body.replacingOccurrences(of: #""id": "1", "#, with: "")
            let missing = try await scale.post("/v1/events", unnamed, structured)
            #expect(missing.status == 400 && missing.text("field") == "id")
            #expect(try await scale.post("/v1/events?streem=x", body, structured).text("field") == "streem")
            let large = String(repeating: " ", count: CloudEvent.maximumBytes) + body
            #expect(try await scale.post("/v1/events", large, structured).status == 413)
            #expect(try await scale.get("/v1/events").status == 403)
            #expect(try await scale.get("/v1/records/\(record)").status == 403)
        }
    }

    @Test("Schemas are public")
    func schemas() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let listed = try await client.with(nil).get("/schemas").items("schemas")
            #expect(listed.count == Kind.all.count + ClinicEvent.allCases.count)
            for item in listed {
                for name in ["data", "event"] + (item.text("kind") == nil ? [] : ["entry"]) {
                    let path = try #require(item.text(name))
                    let schema = try await client.with(nil).get(path)
                    #expect(schema.status == 200 && schema.text("$id") == path)
                    #expect(schema.headers[.contentType] == "application/schema+json")
                }
            }
            #expect(try await client.get("/schemas/org.healthjournal.wieght.logged").status == 404)
            #expect(try await client.get("/schemas/entries/wieght").status == 404)
        }
    }
}

@Suite("Splitting a body into lines")
struct LineSplitterTests {
    @Test("The lines are the same wherever the body is split", arguments: 1...9)
    func cuts(length: Int) {
        let text = "one\n\ntwo\r\n   \nfar too long a line\nthree\nlast"
        var splitter = LineSplitter(maximumLength: 8)
        var lines: [LineSplitter.Line] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: length) {
            lines += splitter.lines(of: .init(bytes: bytes[start..<min(start + length, bytes.count)]))
        }
        lines += splitter.rest()
        #expect(lines.map(\.number) == [1, 3, 5, 6, 7])
        #expect(
            lines.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == ["one", "two", nil, "three", "last"]
        )
    }
}
