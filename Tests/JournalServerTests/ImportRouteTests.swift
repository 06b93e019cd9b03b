import Foundation
import HealthModel
import Interchange
import Testing

@testable import JournalServer

@Suite("Imports over HTTP")
struct ImportRouteTests {
    private let record = "01890a5d-ac96-774b-bcce-b302099a8058"
    private let entry = "01890a5d-ac96-774b-bcce-b302099a8059"

    private func document(weight: String) -> String {
        """
        {"format": "healthjournal/1", "id": "\(record)", "subject": "human", "profile": {"givenName": "Nora"},
         "entries": {"weight": [{"id": "\(entry)", "date": "2024-02-16", "value": "\(weight)", "unit": "kg"}]}}
        """
    }

    @Test("A dry run lists each change and stores nothing, and the import stores all of it once")
    func taken() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            let trial = try await client.post("/v1/imports?dryRun=true", document(weight: "75.5"))
            let planned = try #require(trial.items("imports").first)
            #expect(trial.status == 200)
            #expect(planned["dryRun"] == .bool(true))
            #expect(planned["newRecord"] == .bool(true))
            #expect(planned["changes"]?.first?.text("what") == "added")
            #expect(planned["changes"]?.first?.text("entry") == entry)
            #expect(try await client.get("/v1/records/\(record)").status == 404)

            let taken = try await client.post("/v1/imports?reason=moved%20here", document(weight: "75.5"))
            #expect(taken.status == 200)
            #expect(taken.items("imports").first?["added"] == .number("1"))
            #expect(try await client.get("/v1/records/\(record)").text.contains(#""75.5""#))
            let events = try await client.get("/v1/records/\(record)/history").items("events")
            #expect(events.count == 4 && events.allSatisfy { $0.text("reason") == "moved here" })
            let again = try #require(
                try await client.post("/v1/imports", document(weight: "75.5")).items("imports").first
            )
            #expect(again["unchanged"] == .number("1"))
            #expect(again["position"] == nil)

            let corrected = try await client.post("/v1/imports?dryRun=true", document(weight: "76"))
            let change = try #require(corrected.items("imports").first?["changes"]?.first)
            #expect(change.text("what") == "corrected")
            let field = try #require(change["fields"]?.first)
            #expect(field.text("journal") == "75.5")
            #expect(field.text("document") == "76")
        }
    }

    @Test(
        "The cards of an address book become doctors or emergency contacts, once; if it is strict, all of them or none"
    )
    func cards() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.serve { client in
            _ = try await client.post("/v1/imports", document(weight: "75.5"))
            let path = "/v1/records/\(record)/imports/vcard"
            func body(_ names: [String], _ kind: String?) -> String {
                let cards = names.map {
                    "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:\($0)\r\nTEL:+41 44 123 45 67\r\nEND:VCARD\r\n"
                }
                let file: JSONValue = .present(["text": .string(cards.joined()), "kind": kind.map { .string($0) }])
                return JSONWriter.text(file)
            }
            func added(_ answer: Answer) -> JSONValue? { answer.items("imports").first?["added"] }

            let trial = try await client.post(path + "?dryRun=true", body(["Dr. Roth", "Dr. Berg"], nil))
            #expect(trial.status == 200)
            #expect(added(trial) == 2)
            #expect(trial.text.contains("Dr. Berg"))
            #expect(try await !client.get("/v1/records/\(record)").text.contains("Dr. Berg"))
            let taken = try await client.post(path, body(["Dr. Roth", "Dr. Berg"], nil))
            #expect(taken.status == 200)
            #expect(added(taken) == 2)
            let again = try await client.post(path, body(["Dr. Roth", "Dr. Berg"], "doctor"))
            #expect(added(again) == 0)
            #expect(again.items("imports").first?["unchanged"] == 2)
            // A doctor may be an emergency contact, too.
            #expect(added(try await client.post(path, body(["Otto", "Dr. Berg"], "emergencyContact"))) == 2)
            for (kind, name) in [("doctor", "Dr. Berg"), ("emergencyContact", "Otto")] {
                let found = try await client.get("/v1/records/\(record)/entries/\(kind)")
                #expect(found.text.contains(name), "\(kind)")
                #expect(found.text.contains("+41 44 123 45 67"), "\(kind)")
            }

            let wrongKind = try await client.post(path, body(["Ada"], "weight"))
            #expect(wrongKind.status == 400)
            #expect(wrongKind.text("field") == "kind")
            let cut = body(["Ada", "Eve"], nil).replacing("END:VCARD\\r\\n\"}", with: "\"}")
            let wrongCard = try await client.post(path + "?strict=true", cut)
            #expect(wrongCard.status == 400, "\(wrongCard.text)")
            #expect(!wrongCard.text.contains("Eve"), "\(wrongCard.text)")
            #expect(try await !client.get("/v1/records/\(record)").text.contains("Ada"))
            let others = try await client.post(path, cut)
            #expect(added(others) == 1)
            #expect(
                others.items("imports").first?["faults"]
                    == [["path": "card 2", "message": "has no end", "kept": false]]
            )
        }
    }

    @Test("A document of Mango Health is imported, and exported as the same document")
    func mango() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna")
        let document = #"{"users": {"u1": {"displayName": "Ada", "diet": {"d": {"mealType": "lunch", "date": 7e8}}}}}"#
        try await fixture.serve { client in
            let client = client.with(anna.token)
            let trial = try await client.post("/v1/imports?dryRun=true", document)
            #expect(trial.status == 200, "\(trial.text)")
            #expect(trial.items("imports").first?["added"] == .number("1"), "\(trial.text)")
            let taken = try await client.post("/v1/imports", document)
            let report = try #require(taken.items("imports").first)
            #expect(taken.status == 200)
            #expect(report.text("account") == anna.id.text)
            let record = try #require(report.text("record"))
            let exported = try await client.get("/v1/records/\(record)/export?as=mango")
            let user = try #require(try JSONReader.read(Array(exported.text.utf8))["users"]?["u1"])
            #expect(user["displayName"] == "Ada")
            #expect(user["email"] == nil)
            #expect(user["createdAt"] == nil)
            #expect(user["diet"] == ["d": ["mealType": "lunch", "date": .number("7e8")]])
            let invalid = try await client.post("/v1/imports", document.replacing("7e8", with: "true"))
            #expect(invalid.status == 400)
            #expect(invalid.text("field") == "users.u1.diet.d.date")
        }
    }

    @Test("An error names the field at fault, and nothing is stored")
    func refused() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna")
        let scale = try await fixture.account("scale", .tool, .append)
        try await fixture.serve { client in
            for (path, body, field) in [
                ("?currency=euro", document(weight: "1"), "currency"), ("?epoch=mars", document(weight: "1"), "epoch"),
                ("?zone=Moon/Base", document(weight: "1"), "zone"),
                ("", document(weight: "heavy"), "entries.weight[0].value"), ("?dryRun=maybe", "{}", "dryRun"),
            ] {
                let answer = try await client.post("/v1/imports\(path)", body)
                #expect(answer.status == 400, "\(answer.text)")
                #expect(answer.text("field") == field, "\(answer.text)")
            }
            #expect(try await client.with(scale.token).post("/v1/imports", document(weight: "1")).status == 403)
            _ = try await client.post("/v1/imports", document(weight: "75.5"))
            // An import cannot change a record to which the account has no access.
            let other = try await client.with(anna.token).post("/v1/imports", document(weight: "80"))
            #expect(other.status == 403)
            let long = String(repeating: " ", count: DocumentImport.documentBytes) + document(weight: "1")
            #expect(try await client.post("/v1/imports", long).status == 413)
        }
    }
}

extension JSONValue {
    fileprivate var first: JSONValue? { if case .array(let items) = self { items.first } else { nil } }
}
