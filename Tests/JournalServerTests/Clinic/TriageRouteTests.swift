import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalServer

@Suite("Routes of triage")
struct TriageRouteTests {
    @Test("A patient is put on the board, assessed, explained and taken; each answer has the notice")
    func visit() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let id = try await clinic.beginTriage(#", "complaint": "limps""#)
            let path = "/v1/triage/\(id)"
            let assessed = try await client.post(
                "\(path)/assess",
                #"{"airway": "normal", "breathing": "normal", "circulation": "normal", "disability": "normal", "pain": 3}"#
            )
            #expect(assessed.status == 200, "\(assessed.text)")
            let shown = try await client.get(path)
            #expect(shown.text("levelName") == "yellow")
            #expect(shown.text("complaint") == "limps")
            #expect(shown.text("notice") == TriageRules.notice)
            let board = try await client.get("\(clinic.address)/triage")
            #expect(board.items("triages").map { $0.text("patientName") } == ["Luna"])
            let explained = try await client.get("\(path)/explanation?rules=hj-triage/1")
            #expect(explained.json["same"] == .bool(true))
            let unknown = try await client.get("\(path)/explanation?rules=none/1")
            #expect(unknown.status == 404)
            #expect(unknown.text("field") == "rules")
            #expect(try await client.post("\(path)/take", "{}").status == 200)
            #expect(try await client.get("\(clinic.address)/triage").items("triages").isEmpty)
            let again = try await client.post("\(path)/take", "{}")
            #expect(again.status == 409)
            #expect(again.text("field") == "status")
            let history = try await client.get("\(path)/history").items("versions")
            #expect(history.map { $0.text("type") } == ["triage.begun", "triage.assessed", "triage.taken"])
            let own = try await client.get("/v1/records/\(clinic.dog)/triage").items("triages")
            #expect(own.map { $0.text("id") } == [id])
            let today = Day(of: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
            let days = "from=\(today.adding(days: -1))&to=\(today.adding(days: 1))"
            #expect(try await client.get("\(clinic.address)/triage/arrivals?\(days)").items("triages").count == 1)
            let numbers = try await client.get("\(clinic.address)/triage/statistics?\(days)").items("levels")
            let patients: [JSONValue?] = [0, 0, 1, 0, 0]
            #expect(numbers.map { $0["patients"] } == patients)
        }
    }

    @Test("A rule set of the practice is adopted by its text; a wrong line is named")
    func rules() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let address = "\(clinic.address)/triage/rules"
            let text = TriageRules.version1.text.replacing("hj-triage/1", with: "clinic/1")
            let body: JSONValue = ["text": .string(text), "veterinarian": "Dr. Ada Roth"]
            #expect(try await client.post(address, JSONWriter.text(body)).status == 200)
            let adopted = try await client.get(address).items("adopted")
            #expect(adopted.map { $0.text("rules") } == ["clinic/1"] && adopted.first?.text("text") == text)
            let wrong: JSONValue = ["text": .string(text + "colour red\n"), "veterinarian": "Dr. Ada Roth"]
            let refused = try await client.post(address, JSONWriter.text(wrong))
            let line = text.split(separator: "\n").count + 1
            #expect(refused.status == 400 && refused.text("detail") == "line \(line): colour is no rule")
        }
    }
}
