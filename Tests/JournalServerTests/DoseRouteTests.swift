import Foundation
import HTTPTypes
import Interchange
import Testing

@testable import JournalServer

@Suite("Doses over HTTP")
struct DoseRouteTests {
    @Test("A dose is undone once and can be restored; other entries are not found there, and an old version is refused")
    func undo() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)"
            let plan = try await client.post(path + "/entries/drug", #"{"name": "Lisinopril", "unit": "tablet"}"#)
            let of = try #require(plan.text("entry"))
            let logged = try await client.post(path + "/doses", #"{"of": "\#(of)", "status": "taken", "amount": "1"}"#)
            let dose = try #require(logged.text("entry"))
            #expect(try await client.send(.post, path + "/doses/\(of)/undo").status == 404)
            let elsewhere = "/v1/records/\(try await client.person("Noa"))/doses/\(dose)/undo"
            #expect(try await client.send(.post, elsewhere).status == 404)
            let undo = path + "/doses/\(dose)/undo"
            #expect(try await client.send(.post, undo, nil, [("If-Match", "\"1\"")]).status == 412)
            #expect(try await client.get(path + "/entries/dose").items("entries").count == 1)
            let undone = try await client.send(.post, undo + "?reason=wrong+day", nil, [("If-Match", logged.tag ?? "")])
            #expect(undone.status == 200)
            #expect(undone.text("entry") == dose)
            #expect(try await client.get(path + "/entries/dose").items("entries").isEmpty)
            let history = try await client.get(path + "/entries/dose/\(dose)/history").items("events")
            #expect(history.map { $0.text("type") } == ["entry.added", "entry.retracted"])
            #expect(history.last?.text("reason") == "wrong day")
            #expect(try await client.send(.post, undo).status == 409)
            #expect(try await client.send(.post, path + "/entries/dose/\(dose)/restore").status == 200)
            #expect(try await client.get(path + "/entries/dose").items("entries").count == 1)
        }
    }

    @Test("More than the plan allows or has is a conflict until it is confirmed, and is marked afterwards")
    func confirmed() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let path = "/v1/records/\(try await client.person())"
            let rule =
                #"{"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "pattern": "asNeeded", "intake": {"amount": "1/3"}}"#
            let drug = #"{"name": "Zolmidan", "unit": "tablet", "minimumInterval": 240, "rules": [\#(rule)]}"#
            let of = try #require(try await client.post(path + "/entries/drug", drug).text("entry"))
            let taken = #"{"of": "\#(of)", "status": "taken"}"#
            #expect(try await client.post(path + "/doses", taken).status == 201)
            let asked = try await client.post(path + "/doses", taken)
            #expect(asked.status == 409)
            #expect(asked.text("field") == "confirmed")
            #expect(asked.text("detail")?.contains("only 4 h after another one") == true)
            #expect(asked.text("detail")?.contains("another one is possible from") == true)
            #expect(try await client.get(path + "/entries/dose").items("entries").count == 1)
            let stated = #"{"of": "\#(of)", "status": "taken", "amount": "½", "confirmed": true}"#
            let logged = try await client.post(path + "/doses", stated)
            #expect(logged.status == 201)
            let others = try await client.get(path + "/today").items("others")
            #expect(Set(others.compactMap { $0.text("amount") }) == ["1/3", "0.5"])
            #expect(others.allSatisfy { $0["warnings"] == ["tooSoon"] })
        }
    }
}
