import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalServer

@Suite("A stranger with the id of an animal's record")
struct RegistrationRouteTests {
    @Test("Reads and writes nothing of the record by a practice of their own; an owner decides on their request")
    func stranger() async throws {
        let fixture = try await ServiceFixture()
        let (alice, mallory) = (try await fixture.account("Alice"), try await fixture.account("Mallory"))
        try await fixture.serve { client in
            let (owner, stranger) = (client.with(alice.token), client.with(mallory.token))
            let made = try await owner.post(
                "/v1/records",
                #"{"subject": "animal", "profile": {"name": "Rex", "species": "dog", "birthdate": "2015-03-01"}}"#
            )
            let rex = try #require(made.text("record"))
            _ = try await owner.post("/v1/records/\(rex)/entries/weight", #"{"value": "31.7", "unit": "kg"}"#)
            _ = try await owner.post("/v1/records/\(rex)/entries/illness", #"{"name": "Secret epilepsy"}"#)
            let clinic = try await ServiceClinic(stranger, member: mallory.id)
            let patient = "\(clinic.address)/patients/\(rex)"
            #expect(try await stranger.send(.put, patient, "{}").status == 200)
            #expect(try await !stranger.get("\(clinic.address)/patients").text.contains(rex))
            let adoption = #"{"rules": "hj-triage/1", "veterinarian": "Dr. M"}"#
            #expect(try await stranger.post("\(clinic.address)/triage/rules", adoption).status == 200)
            let begun = try await stranger.post("\(clinic.address)/triage", #"{"record": "\#(rex)", "complaint": "x"}"#)
            #expect(begun.status == 409)
            #expect(begun.text("field") == "record")
            let visit = #"{"record": "\#(rex)", "service": "\#(clinic.service)", "start": "2199-03-01T10:00"}"#
            for query in ["", "?dryRun=true"] {
                let booked = try await stranger.post("\(clinic.address)/appointments\(query)", visit)
                #expect(booked.status == 409)
                #expect(booked.text("field") == "record")
            }
            let list = "/v1/records/\(rex)/registrations"
            #expect(try await owner.get(list).items("registrations").map { $0.text("status") } == ["requested"])
            #expect(try await stranger.post("\(patient)/accept", "{}").status == 403)
            #expect(try await owner.send(.delete, patient, nil).status == 200)
            #expect(try await stranger.send(.put, patient, "{}").status == 200)
            #expect(try await owner.get(list).items("registrations").map { $0.text("status") } == ["requested"])

            // Accepted without a grant: the practice sees the animal, and still reads and adds nothing.
            #expect(try await owner.post("\(patient)/accept", "{}").status == 200)
            #expect(try await stranger.get("\(clinic.address)/patients").text.contains(rex))
            let triage = try await stranger.post("\(clinic.address)/triage", #"{"record": "\#(rex)"}"#)
            let id = try #require(triage.text("entry"), "\(triage.text)")
            let findings = #"{"airway": "normal", "heartRate": 175, "weight": "3.5"}"#
            #expect(try await stranger.post("/v1/triage/\(id)/assess", findings).status == 200)
            let shown = try await stranger.get("/v1/triage/\(id)").text
            #expect(!shown.contains("31.7"))
            #expect(!shown.contains("illness"))
            let weights = try await owner.get("/v1/records/\(rex)/entries/weight").text
            #expect(weights.contains("31.7"))
            #expect(!weights.contains("3.5"))
            // A closed record stays as it is.
            let terms = #"{"sections": ["myhealth"], "verbs": ["read", "contribute"]}"#
            _ = try await owner.send(.put, "/v1/records/\(rex)/caregivers/\(clinic.practice)", terms)
            #expect(try await owner.send(.delete, "/v1/records/\(rex)?reason=moved", nil).status == 200)
            #expect(try await stranger.post("/v1/triage/\(id)/assess", findings).status == 409)
            #expect(try await !owner.get("/v1/records/\(rex)/entries/weight").text.contains("3.5"))
        }
    }

    @Test("An owner accepts and ends a registration on the page of the animal's appointments")
    func page() async throws {
        let fixture = try await ServiceFixture()
        let (alice, mallory) = (try await fixture.account("Alice"), try await fixture.account("Mallory"))
        try await fixture.serve { client in
            let owner = client.with(alice.token)
            let made = try await owner.post("/v1/records", #"{"subject": "animal", "profile": {"name": "Rex"}}"#)
            let rex = try #require(made.text("record"))
            let clinic = try await ServiceClinic(client.with(mallory.token), member: mallory.id)
            _ = try await clinic.client.send(.put, "\(clinic.address)/patients/\(rex)", "{}")
            let browser = Browser(client: client, cookie: try await fixture.session(of: alice.id))
            let page = "/records/\(rex)/appointments"
            let asked = try await browser.get(page).text
            #expect(asked.contains("asks to register it"))
            #expect(asked.contains("Accept: Two Rooms"))
            func answer(_ word: String) async throws -> Answer {
                let address = "/records/\(rex)/registrations/\(clinic.practice)"
                return try await browser.submit(address, ["answer": word], from: page)
            }
            #expect(try await answer("accept").status == 303)
            let accepted = try await browser.get(page).text
            #expect(accepted.contains("is its practice") && !accepted.contains("Accept: Two Rooms"))
            #expect(try await answer("end").status == 303)
            #expect(try await browser.get(page).text.contains("not its practice any more"))
            #expect(try await clinic.client.get("\(clinic.address)/patients").items("patients").count == 1)
        }
    }

    @Test("A practice reads what it wrote after its access ended, over HTTP and on a page, after it said what for")
    func written() async throws {
        let fixture = try await ServiceFixture()
        let (alice, vera) = (try await fixture.account("Alice"), try await fixture.account("Vera"))
        try await fixture.serve { client in
            let (owner, vet) = (client.with(alice.token), client.with(vera.token))
            let made = try await owner.post("/v1/records", #"{"subject": "animal", "profile": {"name": "Rex"}}"#)
            let rex = try #require(made.text("record"))
            let clinic = try await ServiceClinic(vet, member: vera.id)
            let patient = "\(clinic.address)/patients/\(rex)"
            #expect(try await owner.send(.put, patient, "{}").status == 200)
            let grant = "/v1/records/\(rex)/caregivers/\(clinic.practice)"
            let terms = #"{"sections": ["myhealth"], "verbs": ["read", "contribute"]}"#
            #expect(try await owner.send(.put, grant, terms).status == 200)
            let weights = "/v1/records/\(rex)/entries/weight"
            #expect(try await owner.post(weights, #"{"value": "31.7", "unit": "kg"}"#).status == 201)
            #expect(try await vet.post(weights, #"{"value": "32.4", "unit": "kg"}"#).status == 201)
            #expect(try await owner.send(.delete, grant, nil).status == 200)

            #expect(try await vet.get(weights).status == 403)
            let silent = try await vet.get("\(patient)/entries")
            #expect(silent.status == 400)
            #expect(silent.text("field") == "purpose")
            let found = try await vet.get("\(patient)/entries", [("Purpose", "complaint")])
            #expect(found.status == 200)
            #expect(found.items("entries").count == 1)
            #expect(found.text.contains("32.4"))
            #expect(!found.text.contains("31.7"))
            #expect(try await owner.get("\(patient)/entries", [("Purpose", "mine")]).status == 403)

            let browser = Browser(client: client, cookie: try await fixture.session(of: vera.id))
            let listed = try await browser.submit("/practices/\(clinic.practice)/patients", ["name": "rex"])
            let page = "/practices/\(clinic.practice)/patients/\(rex)/written"
            #expect(listed.text.contains("href=\"\(page)\""))
            #expect(try await !browser.get(page).text.contains("32.4"))
            let unsaid = try await browser.submit(page, ["purpose": " "])
            #expect(unsaid.status == 400)
            #expect(unsaid.text.contains("Say what you read it for."))
            let shown = try await browser.submit(page, ["purpose": "the complaint of March"])
            #expect(shown.status == 200)
            #expect(shown.text.contains("32.4"))
            #expect(!shown.text.contains("31.7"))
            // What the practice may not open is no link.
            #expect(!shown.text.contains("/entries/weight/"))
            let trail = try await owner.get("/v1/records/\(rex)/access").text
            #expect(trail.contains("the complaint of March"))
            #expect(trail.contains("complaint"))
        }
    }

    @Test("A veterinarian opens the emergency view by the microchip on a page, and sees what is urgent alone")
    func chip() async throws {
        let fixture = try await ServiceFixture()
        let (alice, vera) = (try await fixture.account("Alice"), try await fixture.account("Vera"))
        try await fixture.serve { client in
            let (owner, vet) = (client.with(alice.token), client.with(vera.token))
            let made = try await owner.post(
                "/v1/records",
                #"{"subject": "animal", "profile": {"name": "Rex", "animalID": "756098100000042", "isOpenToEmergencies": true}}"#
            )
            let rex = try #require(made.text("record"))
            _ = try await owner.post("/v1/records/\(rex)/entries/weight", #"{"value": "31.7", "unit": "kg"}"#)
            _ = try await owner.post("/v1/records/\(rex)/entries/allergy", #"{"name": "Penicillin"}"#)
            let clinic = try await ServiceClinic(vet, member: vera.id)
            let emergency = "\(clinic.address)/emergency-access"
            let reason = #""reason": "hit by a car, nobody is with it""#
            let unknown = try await vet.post(emergency, #"{"chip": "756098100000043", \#(reason)}"#)
            #expect(unknown.status == 404)
            #expect(unknown.text("field") == "chip")
            #expect(try await owner.post(emergency, #"{"chip": "756098100000042", \#(reason)}"#).status == 403)

            let browser = Browser(client: client, cookie: try await fixture.session(of: vera.id))
            #expect(try await browser.get("/records/\(rex)").status == 403)
            let page = "/practices/\(clinic.practice)/emergency"
            let listed = try await browser.get("/practices/\(clinic.practice)/patients")
            #expect(listed.text.contains("href=\"\(page)\""))
            let wrong = try await browser.submit(page, ["chip": "1", "reason": "hit by a car, nobody is with it"])
            #expect(wrong.status == 400)
            #expect(wrong.text.contains("microchip number"))
            let typed = ["chip": "756 0981 0000 0042", "reason": "hit by a car, nobody is with it"]
            let opened = try await browser.submit(page, typed)
            #expect(opened.location == "/records/\(rex)", "\(opened.text)")
            let shown = try await browser.get("/records/\(rex)")
            #expect(shown.status == 200)
            #expect(shown.text.contains("Penicillin"))
            #expect(!shown.text.contains("31.7"))
            let notices = try await owner.get("/v1/notices")
            #expect(notices.text.contains("hit by a car"))
            #expect(notices.text.contains("Two Rooms"))
        }
    }
}
