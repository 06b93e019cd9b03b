import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Repeated requests")
struct RepeatedReadTests {
    @Test("A repeated read has the same answer and is recorded again; after a change the answer is new")
    func pages() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)/entries/weight"
            for value in 1...7 { _ = try await client.post(path, #"{"value": "\#(value)"}"#) }
            let first = try await client.get(path + "?limit=3")
            #expect(try await client.get(path + "?limit=3").text == first.text)
            let second = try await client.get(path + "?limit=3&cursor=\(first.text("nextCursor") ?? "")")
            #expect(second.items("entries").compactMap { $0.text("value") } == ["4", "5", "6"])
            #expect(try await client.get(path).items("entries").count == 7)
            let added = try await client.post(path, #"{"value": "8"}"#)
            #expect(try await client.get(path).items("entries").count == 8)
            let entry = try #require(added.text("entry"))
            #expect(try await client.send(.delete, "\(path)/\(entry)?reason=typo").status == 200)
            #expect(try await client.get(path).items("entries").count == 7)
            #expect(try await client.get(path + "?retracted=true").items("entries").count == 8)
            let looks = try await client.get("/v1/records/\(record)/access").items("events")
            #expect(looks.count == 7)
        }
    }

    @Test("A repeated read of a record has a new position and the same tag")
    func record() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)"
            let (first, second) = (try await client.get(path), try await client.get(path))
            #expect(first.tag == second.tag)
            #expect(first.json["asOf"] != second.json["asOf"])
            #expect(first.json["profile"] == second.json["profile"])
            #expect(first.json["format"] == second.json["format"])
            #expect(first.text.hasPrefix(#"{"format":"healthjournal/1","asOf":{"position":"#))
            #expect(try await client.get(path, [("If-None-Match", first.tag ?? "")]).status == 304)
            _ = try await client.post(path + "/entries/weight", #"{"value": "8"}"#)
            let third = try await client.get(path, [("If-None-Match", first.tag ?? "")])
            #expect(third.status == 200)
            #expect(third.tag != first.tag)
        }
    }

    @Test("A body that never ends is given up, and one that arrives in time is read")
    func slowBody() async throws {
        func request(_ body: RequestBody) -> Request {
            Request(head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: "/"), body: body)
        }
        let whole = RequestBody(buffer: ByteBuffer(string: "whole"))
        #expect(try await request(whole).bytes(within: .milliseconds(1)) == Array("whole".utf8))
        let (body, source) = RequestBody.makeStream()
        await source.yield(ByteBuffer(string: "a part"))
        await #expect(throws: Problem.self) { try await request(body).bytes(within: .milliseconds(50)) }
        source.finish()
        let (late, rest) = RequestBody.makeStream()
        async let read = request(late).bytes(within: .seconds(30))
        try await Task.sleep(for: .milliseconds(20))
        await rest.yield(ByteBuffer(string: "late"))
        rest.finish()
        #expect(try await read == Array("late".utf8))
    }

    @Test("An id is parsed like Foundation's UUID, and other text is refused")
    func ids() {
        let id = UUID()
        for text in [id.uuidString, id.uuidString.lowercased()] { #expect(UUID(inAddress: text) == id) }
        let wrong = ["", "-", String(id.uuidString.dropLast()), id.uuidString + "0", id.uuidString + "-"]
        let close = [id.uuidString.replacing("-", with: ""), "g" + id.uuidString.dropFirst(), "é" + id.uuidString]
        for text in wrong + close { #expect(UUID(inAddress: text) == nil && UUID(uuidString: text) == nil) }
    }

    @Test("A header that occurs twice is joined into one value")
    func fields() throws {
        var fields = HTTPFields()
        #expect(fields.value(of: .ifNoneMatch) == nil)
        fields.append(HTTPField(name: .ifNoneMatch, value: "\"1\""))
        #expect(fields.value(of: .ifNoneMatch) == "\"1\"")
        fields.append(HTTPField(name: .ifNoneMatch, value: "\"2\""))
        #expect(fields.value(of: .ifNoneMatch) == "\"1\", \"2\"")
    }
}
