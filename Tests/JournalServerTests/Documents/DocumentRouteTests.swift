import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Files over HTTP")
struct DocumentRouteTests {
    @Test("A file is returned byte for byte, whatever it contains")
    func roundTrip() async throws {
        var random = SeededGenerator()
        let delimiter = Array("\r\n--\(Form.boundary)".utf8)
        let files = [
            random.bytes(300_000), [], [0x0D], delimiter + [0x2D], delimiter + Array("x\r\n".utf8) + delimiter + [0x2D],
            Array("\r\n\r\n--\r\n".utf8), random.bytes(77) + delimiter + [0x58] + random.bytes(5),
        ]
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            for file in files {
                let name = "Überweisung \"Ida\" 🦮.pdf"
                let form = Form().field("comment", "grüezi\r\nzweimal")
                    .file(file, name.replacing("\"", with: "%22"))
                    .field("date", "2024-02-16").field("name", "").closed()
                let attached = try await client.attach(form, to: record)
                #expect(attached.status == 201, "\(attached.text)")
                let one = try #require(attached.headers[.location])
                let entry = try await client.get(one)
                #expect(entry.json.text("name") == name)
                #expect(entry.json.text("mediaType") == "application/pdf")
                #expect(entry.json.text("comment") == "grüezi\nzweimal")
                #expect(entry.tag == attached.tag)
                #expect(entry.json["content"]?.text("digest") == BlobStore.digest(of: file))
                let saved = try await client.get(one + "/content")
                #expect(saved.status == 200)
                #expect(saved.bytes == file)
                #expect(saved.headers[.contentType] == "application/pdf")
                #expect(
                    saved.headers[.contentDisposition]
                        == "attachment; filename*=UTF-8''%C3%9Cberweisung%20%22Ida%22%20%F0%9F%A6%AE.pdf"
                )
                #expect(saved.headers[.xContentTypeOptions] == "nosniff")
                #expect(saved.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("Active content is served as bytes", arguments: ["text/html", "image/svg+xml", "text/html;a=b", nil])
    func types(_ type: String?) async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let form = Form().file([1], mediaType: type).closed()
            let attached = try await client.attach(form, to: try await client.person())
            let saved = try await client.get(try #require(attached.headers[.location]) + "/content")
            #expect(saved.headers[.contentType] == "application/octet-stream")
            #expect(saved.headers[.contentDisposition]?.hasPrefix("attachment; ") == true)
        }
    }

    @Test("A request without a valid form of one file is refused with the reason, and stores nothing")
    func refused() async throws {
        let file = Form().file([1, 2])
        let cases: [(Form, Int, String?)] = [
            (Form().closed(), 400, "file"), (Form().field("name", "x").closed(), 400, "file"),
            (Form().field("file", "x").closed(), 400, "file"), (file.file([3]).closed(), 400, "file"),
            (file.field("colour", "brown").closed(), 400, "colour"), (file.file([3], as: "scan").closed(), 400, "scan"),
            (file.field("missing", "true").closed(), 400, "missing"),
            (file.field("content.digest", "00").closed(), 400, "content.digest"),
            (file.field("date", "yesterday").closed(), 400, "date"),
            (file.field("name", "a").field("name", "b").closed(), 400, "name"),
            (file.field("name", String(repeating: "n", count: 3_000)).closed(), 400, "name"),
            (Form().file([1], mediaType: String(repeating: "m", count: 300)).closed(), 400, "mediaType"),
            (Form().file([1], "").closed(), 400, "file"), (file, 400, nil), (Form(), 400, nil),
            (file.part("form-data; name=comment", nil, [0xFF]).closed(), 400, "comment"),
        ]
        let fixture = try await ServiceFixture()
        let log = fixture.journal.log
        try await fixture.serve { client in
            let record = try await client.person()
            let head = try log.head()
            for (form, status, field) in cases {
                let answer = try await client.attach(form, to: record)
                #expect(answer.status == status, "\(form.text) \(answer.text)")
                #expect(answer.text("field") == field, "\(form.text) \(answer.text)")
            }
            for type in ["multipart/form-data", "multipart/form-data; boundary=\"a b \"", "multipart/form-data; b"] {
                let answer = try await client.attach(file.closed(), to: record, [("Content-Type", type)])
                #expect(answer.status == 400, "\(type)")
                #expect(answer.text("field") == "Content-Type", "\(type)")
            }
            let other = try await client.attach(file.closed(), to: record, [("Content-Type", "application/json")])
            #expect(other.status == 415)
            let large = Form().file([UInt8](repeating: 7, count: BodyLimits.formBytes)).closed()
            #expect(try await client.attach(large, to: record).status == 413)
            #expect(try log.head() == head)
        }
    }

    @Test("A caregiver without the section can neither attach nor save files, and both attempts are recorded")
    func stranger() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna")
        let (journal, owner) = (fixture.journal, fixture.owner)
        try await fixture.serve { client in
            let record = try await client.person()
            let id = try #require(UUID(uuidString: record))
            let form = Form().file([1, 2]).closed()
            let one = try #require(try await client.attach(form, to: record).headers[.location])
            let terms = GrantTerms(sections: [.doctorlist], verbs: [.read, .contribute])
            _ = try await journal.sharing.grant(terms, to: anna.id, on: id, owner)
            let hers = client.with(anna.token)
            #expect(try await hers.attach(form, to: record).status == 403)
            // The refusal comes before the body is checked.
            #expect(try await hers.attach(Form(), to: record).status == 403)
            #expect(try await hers.get(one + "/content").status == 404)
            #expect(try await client.get(one.replacing(record, with: UUID().text) + "/content").status == 404)
            #expect(try await client.get(one + "/content?asOf=1").status == 404)
            #expect(try await client.get(one + "/content").status == 200)
            let events = try await client.get("/v1/records/\(record)/access").items("events")
            #expect(
                events.map { $0.text("type") } == ["access.denied", "access.denied", "access.denied", "access.read"]
            )
        }
    }

    @Test("An erased record accepts and returns no files")
    func erased() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let form = Form().file([1, 2]).closed()
            let one = try #require(try await client.attach(form, to: record).headers[.location])
            _ = try await client.post("/v1/records/\(record)/erase", #"{"reason": "asked for"}"#)
            #expect(try await client.attach(form, to: record).status == 410)
            #expect(try await client.get(one + "/content").status == 410)
        }
    }

    @Test("A request with the same key is executed once, with any boundary, and even after the record was closed")
    func once() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let key = [("Idempotency-Key", "monday")]
            let form = Form().file([1, 2]).field("comment", "c").closed()
            let first = try await client.attach(form, to: record, key)
            let other = form.text.replacing(Form.boundary, with: "other")
            let again = try await client.send(
                .post,
                "/v1/records/\(record)/documents",
                other,
                [("Content-Type", "multipart/form-data; boundary=other")] + key
            )
            #expect(first.status == 201)
            #expect(again.text == first.text)
            #expect(again.tag == first.tag)
            let another = try await client.attach(Form().file([1, 3]).field("comment", "c").closed(), to: record, key)
            #expect(another.status == 409)
            #expect(another.text("field") == "Idempotency-Key")
            #expect(try await client.send(.delete, "/v1/records/\(record)").status == 200)
            #expect(try await client.attach(form, to: record, key).text == first.text)
            #expect(try await client.attach(form, to: record).status == 409)
        }
    }

    @Test("The reason of an attachment is in the entry's history")
    func reason() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let form = Form().file([1, 2]).closed()
            let attached = try await client.attach(form, to: try await client.person(), query: "?reason=scanned")
            let history = try #require(attached.headers[.location]) + "/history"
            #expect(try await client.get(history).items("events").map { $0.text("reason") } == ["scanned"])
        }
    }

    @Test("The content of an entry without a file is not found")
    func missing() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)/entries"
            let missing = try await client.post("\(path)/document", #"{"name": "letter", "missing": true}"#)
            #expect(try await client.get(try #require(missing.headers[.location]) + "/content").status == 404)
            let weight = try #require(try await client.post("\(path)/weight", #"{"value": "72"}"#).text("entry"))
            #expect(try await client.get("\(path)/document/\(weight)/content").status == 404)
            #expect(try await client.get("\(path)/weight/\(weight)/content").status == 404)
        }
    }
}
