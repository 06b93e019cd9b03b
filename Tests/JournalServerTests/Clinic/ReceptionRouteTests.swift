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
            #expect(twice.status == 409 && twice.text("field") == "email")
            let patient = "\(clinic.address)/patients/\(clinic.dog)"
            let kept = try await client.send(.put, patient, #"{"clients": ["\#(id)"], "alerts": "bites"}"#)
            #expect(kept.status == 200, "\(kept.text)")
            let patients = try await client.get("\(clinic.address)/patients").items("patients")
            #expect(patients.map { $0.text("alerts") } == ["bites"])
            let wish = #"{"record": "\#(clinic.dog)", "wish": {"service": "\#(clinic.service)", "urgency": "soon"}}"#
            let wait = try #require(try await client.post("\(clinic.address)/waiting", wish).text("entry"))
            let suits = try await client.get("\(clinic.address)/waiting?start=2199-03-01T10:00&minutes=30")
            #expect(suits.items("waiting").map { $0.text("id") } == [wait])
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
}
