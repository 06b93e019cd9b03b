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
            #expect(undone.status == 200 && undone.text("entry") == dose)
            #expect(try await client.get(path + "/entries/dose").items("entries").isEmpty)
            let history = try await client.get(path + "/entries/dose/\(dose)/history").items("events")
            #expect(history.map { $0.text("type") } == ["entry.added", "entry.retracted"])
            #expect(history.last?.text("reason") == "wrong day")
            #expect(try await client.send(.post, undo).status == 409)
            #expect(try await client.send(.post, path + "/entries/dose/\(dose)/restore").status == 200)
            #expect(try await client.get(path + "/entries/dose").items("entries").count == 1)
        }
    }
}
