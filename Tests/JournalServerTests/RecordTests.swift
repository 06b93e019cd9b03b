import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import HummingbirdTesting
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Records over HTTP")
struct RecordTests {
    @Test("A record can be created, read, changed and closed, and each state has a tag")
    func life() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let made = try await client.post(
                "/v1/records",
                #"{"subject": "animal", "profile": {"name": "Bless", "species": "dog", "vet": {"clinicName": "Am See"}}}"#
            )
            #expect(made.status == 201)
            let id = try #require(made.text("record"))
            #expect(made.headers[.location] == "/v1/records/\(id)")

            let read = try await client.get("/v1/records/\(id)")
            #expect(read.status == 200)
            #expect(read.tag == made.tag)
            #expect(read.headers[.cacheControl] == "no-store")
            #expect(read.json["profile"]?.text("name") == "Bless")
            #expect(try await client.get("/v1/records/\(id)", [("If-None-Match", read.tag ?? "")]).status == 304)

            let patch = #"{"profile": {"species": null, "vet": {"phone": "+41 44 000 00 00"}}}"#
            let changed = try await client.send(
                .patch,
                "/v1/records/\(id)?reason=mistyped",
                patch,
                [("If-Match", read.tag ?? ""), ("Content-Type", "application/merge-patch+json")]
            )
            #expect(changed.status == 200)
            #expect(changed.tag != read.tag)
            let after = try await client.get("/v1/records/\(id)")
            #expect(after.tag == changed.tag)
            #expect(after.json["profile"]?["species"] == nil)
            #expect(after.json["profile"]?["vet"]?.text("clinicName") == "Am See")
            #expect(after.json["profile"]?["vet"]?.text("phone") == "+41 44 000 00 00")

            let stale = try await client.send(.patch, "/v1/records/\(id)", patch, [("If-Match", read.tag ?? "")])
            #expect(stale.status == 412)
            #expect(stale.problem == "stale")
            let then = try await client.get("/v1/records/\(id)?asOf=\(made.tag?.filter(\.isNumber) ?? "")")
            #expect(then.json["profile"]?.text("species") == "dog")

            #expect(try await client.send(.delete, "/v1/records/\(id)?reason=moved").status == 200)
            #expect(try await client.send(.patch, "/v1/records/\(id)", patch).status == 409)
            let history = try await client.get("/v1/records/\(id)/history").items("events")
            #expect(history.map { $0.text("type") } == ["record.created", "record.changed", "record.closed"])
            #expect(history.map { $0.text("reason") } == [nil, "mistyped", "moved"])
        }
    }

    @Test("A partial view has no tag, because it could not change with what the caller sees")
    func partialTags() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna")
        try await fixture.serve { client in
            let record = try await client.person()
            let drugs = "/v1/records/\(record)/entries/drug"
            var added: [Answer] = []
            for name in ["Lisinopril", "Warfarin"] {
                added.append(try await client.post(drugs, #"{"name": "\#(name)"}"#))
            }
            let caregivers = "/v1/records/\(record)/caregivers/\(anna.id.uuidString)"
            #expect(try await client.send(.put, caregivers, "{}").status == 200)
            // A grant is replaced only if the request names the current one.
            let narrower = #"{"sections": ["doctorlist"]}"#
            let refused = try await client.send(.put, caregivers, narrower)
            #expect(refused.status == 409)
            #expect(refused.text("field") == "grant")
            let grants = try await client.get("/v1/records/\(record)/caregivers").items("caregivers")
            guard case .number(let position)? = grants.first?["position"] else { throw JournalError(.failed, "none") }
            let other = try await client.send(.put, caregivers, narrower, [("If-Match", "\"1\"")])
            #expect(other.status == 412)
            let replaced = try await client.send(.put, caregivers, narrower, [("If-Match", "\"\(position)\"")])
            #expect(replaced.status == 200)
            #expect(try await client.send(.put, caregivers, "{}", [("If-Match", "*")]).status == 200)
            let seen = try await client.with(anna.token).get("/v1/records/\(record)")
            #expect(seen.text.contains("Lisinopril"))
            #expect(seen.tag == nil)
            #expect(try await client.send(.delete, try #require(added[0].headers[.location])).status == 200)
            let held = [("If-None-Match", added[1].tag ?? "")]
            let after = try await client.with(anna.token).get("/v1/records/\(record)", held)
            #expect(after.status == 200)
            #expect(!after.text.contains("Lisinopril"))
            #expect(after.text.contains("Warfarin"))
        }
    }

    @Test("Records are listed page by page, each once")
    func pages() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            var made: [String] = []
            for number in 1...7 { made.append(try await client.person("P\(number)")) }
            var found: [String] = []
            var cursor = ""
            repeat {
                let page = try await client.get("/v1/records?limit=3" + (cursor.isEmpty ? "" : "&cursor=\(cursor)"))
                found += page.items("records").compactMap { $0.text("id") }
                cursor = page.text("nextCursor") ?? ""
            } while !cursor.isEmpty
            #expect(found == made)
        }
    }

    @Test("Reads are recorded before the answer, with their purpose; reading the accesses is an access too")
    func access() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("Anna")
        try await fixture.serve { client in
            let id = try await client.person()
            _ = try await client.get("/v1/records/\(id)", [("Purpose", "a check-up")])
            #expect(try await client.with(anna.token).get("/v1/records/\(id)").status == 403)
            let looks = try await client.get("/v1/records/\(id)/access").items("events")
            #expect(looks.map { $0.text("type") } == ["access.read", "access.denied"])
            #expect(looks.first?["data"]?.text("purpose") == "a check-up")
            #expect(looks.last?.text("actor") == anna.id.uuidString.lowercased())
            let again = try await client.get("/v1/records/\(id)/access?cursor=\(2)&limit=100").items("events")
            #expect(again.count == 3)
            #expect(again.last?["data"]?.text("action") == "access")
        }
    }

    @Test("Without a valid token nothing is read, and the error reveals nothing about the record")
    func strangers() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let id = try await client.person()
            for token in [nil, "hj_nonsense", ""] {
                let answer = try await client.with(token).get("/v1/records/\(id)")
                #expect(answer.status == 401)
                #expect(answer.problem == "unauthenticated")
                #expect(answer.headers[.wwwAuthenticate] != nil)
                #expect(!answer.text.contains("Ida"))
            }
        }
    }

    @Test(
        "Invalid data is refused with the field at fault, and changes nothing",
        arguments: [
            ("POST", "/v1/records", #"{"subject": "plant"}"#, 400, "subject"),
            ("POST", "/v1/records", #"{"subject": "human", "profile": {"species": "dog"}}"#, 400, "profile.species"),
            ("POST", "/v1/records", #"{"subject": "human", "shoe": 1}"#, 400, "shoe"),
            ("POST", "/v1/records", #"{"subject": "human""#, 400, nil),
            (
                "POST", "/v1/records", #"{"subject": "human", "profile": {"birthdate": "soon"}}"#, 400,
                "profile.birthdate"
            ),
            ("GET", "/v1/records?asof=3", nil, 400, "asof"),
            ("GET", "/v1/records?limit=0", nil, 400, "limit"),
            ("GET", "/v1/records?limit=3&limit=4", nil, 400, "limit"),
            ("GET", "/v1/records/RECORD?asOf=yesterday", nil, 400, "asOf"),
            ("GET", "/v1/records/RECORD?asOf=0", nil, 404, nil),
            ("GET", "/v1/records/RECORD/findings?asOf=0", nil, 404, nil),
            ("GET", "/v1/records/RECORD/interactions/checks?asOf=0", nil, 404, nil),
            ("GET", "/v1/records/RECORD/entries/mood", nil, 404, nil),
            ("GET", "/v1/records/1234", nil, 404, nil),
            ("GET", "/v1/nothing", nil, 404, nil),
            ("PUT", "/v1/records/RECORD/caregivers/RECORD", #"{"verbs": ["fly"]}"#, 400, "verbs"),
            ("GET", "/v1/records/RECORD/export?as=docx", nil, 400, "as"),
        ] as [(String, String, String?, Int, String?)]
    )
    func refused(_ method: String, _ uri: String, _ body: String?, _ status: Int, _ field: String?) async throws {
        let fixture = try await ServiceFixture()
        let log = fixture.journal.log
        try await fixture.serve { client in
            let id = try await client.person()
            let head = try log.head()
            let answer = try await client.send(
                try #require(HTTPRequest.Method(rawValue: method)),
                uri.replacing("RECORD", with: id),
                body
            )
            #expect(answer.status == status)
            #expect(answer.problem != nil)
            #expect(answer.text("field") == field)
            #expect(try log.head() == head)
        }
    }
}
