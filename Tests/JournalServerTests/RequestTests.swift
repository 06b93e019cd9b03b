import EventLog
import HTTPTypes
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Parsing of requests")
struct RequestTests {
    @Test("Parameters are decoded once, with offsets, percent and plus signs")
    func encoding() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let read = try await client.get("/v1/records/\(record)?asOf=2199-02-16T08:30:00%2B01:00")
            #expect(read.status == 200)
            let patch = #"{"profile": {"sex": "female"}}"#
            let path = "/v1/records/\(record)?reason=100%25+sure,%20%2541%2B1%0D%0Athat+is"
            #expect(try await client.send(.patch, path, patch).status == 200)
            let events = try await client.get("/v1/records/\(record)/history").items("events")
            #expect(events.last?.text("reason") == "100% sure, %41+1\nthat is")
            #expect(try await client.send(.patch, "/v1/records/\(record)?reason=%zz", patch).text("field") == "reason")
        }
    }

    @Test(
        "An invalid parameter or header is refused by name, even if it has no effect",
        arguments: [
            ("GET", "/v1/records?limit=%2B5", "", "", "limit"), ("GET", "/v1/records?cursor=-0", "", "", "cursor"),
            ("GET", "/v1/records/RECORD/costs?currency=francs", "", "", "currency"),
            ("GET", "/v1/records", "Purpose", String(repeating: "x", count: 2_001), "Purpose"),
            ("GET", "/v1/log/checkpoint", "Purpose", "a\u{85}b", "Purpose"),
            ("DELETE", "/v1/records/RECORD", "If-Match", "12", "If-Match"),
            ("DELETE", "/v1/records/RECORD", "If-Match", #""1", "2""#, "If-Match"),
            ("DELETE", "/v1/records/RECORD?reason=LONG", "", "", "reason"),
            ("DELETE", "/v1/records/RECORD?reason=WIDE", "", "", "reason"),
            ("PATCH", "/v1/records/RECORD?reason=%07", "", "", "reason"),
        ]
    )
    func refused(_ method: String, _ uri: String, _ name: String, _ value: String, _ field: String) async throws {
        let fixture = try await ServiceFixture()
        let log = fixture.journal.log
        try await fixture.serve { client in
            let record = try await client.person()
            let head = try log.head()
            let uri = uri.replacing("RECORD", with: record)
                .replacing("LONG", with: String(repeating: "x", count: 2_001))
                .replacing("WIDE", with: String(repeating: "%C3%A9", count: 1_001))
            let answer = try await client.send(
                try #require(HTTPRequest.Method(rawValue: method)),
                uri,
                method == "PATCH" ? #"{"profile": {}}"# : nil,
                name.isEmpty ? [] : [(name, value)]
            )
            #expect(answer.status == 400)
            #expect(answer.problem == "invalid")
            #expect(answer.text("field") == field)
            #expect(try log.head() == head)
        }
    }

    @Test("A weak or unknown tag matches no state")
    func tags() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let tag = try #require(try await client.get("/v1/records/\(record)").tag)
            for other in ["W/\(tag)", #""1x""#, #""""#] {
                let answer = try await client.send(.delete, "/v1/records/\(record)", nil, [("If-Match", other)])
                #expect(answer.status == 412 && answer.problem == "stale")
            }
            #expect(try await client.send(.delete, "/v1/records/\(record)", nil, [("If-Match", tag)]).status == 200)
        }
    }
}

@Suite("Documents over HTTP")
struct DocumentTests {
    @Test("A file that the journal does not store cannot be named, in a new entry or a correction")
    func absentFile() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let path = "/v1/records/\(try await client.person())/entries/document"
            let digest = String(repeating: "a", count: 64)
            let named = #"{"name": "letter", "content": {"digest": "\#(digest)", "size": 5}}"#
            let refused = try await client.post(path, named)
            #expect(refused.status == 409 && refused.text("field") == "content")
            let added = try await client.post(path, #"{"name": "letter", "missing": true}"#)
            let one = try #require(added.headers[.location])
            #expect(try await client.send(.put, one, named).status == 409)
            #expect(try await client.get(path).items("entries").count == 1)
            let export = try await client.get(path.replacing("entries/document", with: "export?as=purus"))
            #expect(export.status == 200)
        }
    }
}
