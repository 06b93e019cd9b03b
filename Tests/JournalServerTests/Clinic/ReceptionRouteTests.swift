import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalServer

@Suite("Routes of clients, waiting lists and recalls")
struct ReceptionRouteTests {
    @Test("A client with a patient, a wish, an offer that is booked, and a recall")
    func desk() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let added = try await client.post(
                "\(clinic.address)/clients",
                #"{"lastName": "Keller", "email": "k@x.ch"}"#
            )
            let id = try #require(added.text("id"), "\(added.text)")
            let twice = try await client.post("\(clinic.address)/clients", #"{"lastName": "Other", "email": "K@X.ch"}"#)
            #expect(twice.status == 409)
            #expect(twice.text("field") == "email")
            let patient = "\(clinic.address)/patients/\(clinic.dog)"
            let kept = try await client.send(.put, patient, #"{"clients": ["\#(id)"], "alerts": "bites"}"#)
            #expect(kept.status == 200, "\(kept.text)")
            let patients = try await client.get("\(clinic.address)/patients").items("patients")
            #expect(patients.map { $0.text("alerts") } == ["bites"])
            let wish = #"{"record": "\#(clinic.dog)", "wish": {"service": "\#(clinic.service)", "urgency": "soon"}}"#
            let wait = try #require(try await client.post("\(clinic.address)/waiting", wish).text("entry"))
            let suits = try await client.get("\(clinic.address)/waiting?start=2199-03-01T10:00&minutes=30")
            #expect(suits.items("waiting").map { $0.text("id") } == [wait])
            for wrong in ["minutes=1441", "specialist=vet"] {
                #expect(try await client.get("\(clinic.address)/waiting?\(wrong)").status == 400)
            }
            let until = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)).adding(minutes: 600)
            let body = #", "until": "\#(until)""#
            let offer = try await client.post(
                "\(clinic.address)/waiting/\(wait)/offer",
                clinic.request(at: "2199-03-01T10:00", body)
            )
            let appointment = try #require(offer.text("entry"), "\(offer.text)")
            let list = try await client.get("\(clinic.address)/waiting").items("waiting")
            #expect(list.map { $0.text("status") } == ["offered"])
            let booked = try await client.post("/v1/appointments/\(appointment)/book", "{}")
            #expect(booked.status == 200, "\(booked.text)")
            #expect(try await client.get("\(clinic.address)/waiting").items("waiting").isEmpty)
            let recall = "\(patient)/recalls/\(UUID().uuidString.lowercased())"
            let due = #"{"service": "\#(clinic.service)", "due": "2027-05-01", "group": "rabies"}"#
            #expect(try await client.send(.put, recall, due).status == 200)
            let found = try await client.get("\(clinic.address)/recalls?due=2027-05-01").items("recalls")
            #expect(found.map { $0.text("group") } == ["rabies"])
            #expect(try await client.send(.delete, recall, nil).status == 200)
            #expect(try await client.get("\(clinic.address)/recalls?due=2027-05-01").items("recalls").isEmpty)
            #expect(try await client.send(.delete, patient, nil).status == 200)
            #expect(try await client.get("\(clinic.address)/patients").items("patients").isEmpty)
        }
    }

    @Test("An animal without a record gets one from the practice, with its client, and is then handed over")
    func newPatient() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        let paul = try await fixture.account("Paul")
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let path = "\(clinic.address)/patients"
            let body = #"""
                {"profile": {"name": "Rex", "species": "dog"}, "registration": {"alerts": "bites"}, \#
                "client": {"lastName": "Moser"}}
                """#
            let made = try await client.post(path, body)
            #expect(made.status == 201, "\(made.text)")
            let record = try #require(made.text("record"))
            #expect(made.location == "/v1/records/\(record)")
            let patient = try await client.get(path).items("patients").first { $0.text("record") == record }
            #expect(patient?.text("alerts") == "bites")
            let weight = #"{"value": 21, "unit": "kg"}"#
            #expect(try await client.post("/v1/records/\(record)/entries/weight", weight).status == 201)
            let read = try await client.get("/v1/records/\(record)")
            #expect(read.status == 200, "\(read.text)")
            for refused in [
                #"{"profile": {"givenName": "Rex"}}"#, #"{"client": {"lastName": "X"}, "profile": {}, "x": 1}"#,
            ] {
                #expect(try await client.post(path, refused).status == 400)
            }
            let given = try await client.post("/v1/records/\(record)/transfer", #"{"to": "\#(paul.id.text)"}"#)
            #expect(given.status == 200, "\(given.text)")
            // The practice keeps treating the animal, and does not manage the record any more.
            #expect(try await client.get("/v1/records/\(record)").status == 200)
            let change = try await client.send(.patch, "/v1/records/\(record)", #"{"profile": {"name": "Max"}}"#)
            #expect(change.status == 403)
        }
    }
}
