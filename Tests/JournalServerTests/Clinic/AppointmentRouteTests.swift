import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalServer

@Suite("Routes of practices and appointments")
struct AppointmentRouteTests {
    @Test(
        "An appointment is booked, moved, seen in the calendar, and its versions are kept; the next one gets slot-taken"
    )
    func booking() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let id = try await clinic.book(at: "2199-03-01T10:00", #", "notes": "bites""#)
            let taken = try await client.post("\(clinic.address)/appointments", clinic.request(at: "2199-03-01T10:15"))
            #expect(taken.status == 409)
            #expect(taken.text("type") == "urn:healthjournal:problem:slot-taken")
            #expect(taken.text("field") == "specialist")
            #expect(taken.json["taken"]?["start"] != nil)
            let path = "/v1/appointments/\(id)"
            let shown = try await client.get(path)
            #expect(shown.text("status") == "scheduled")
            #expect(shown.text("wall") == "2199-03-01T10:00")
            let tag = try #require(shown.headers[.eTag])
            let moved = try await client.post("\(path)/move", #"{"start": "2199-03-01T11:00"}"#, [("If-Match", tag)])
            #expect(moved.status == 200, "\(moved.text)")
            let stale = try await client.post("\(path)/move", #"{"start": "2199-03-01T12:00"}"#, [("If-Match", tag)])
            #expect(stale.status == 412)
            let calendar = try await client.get("\(clinic.address)/appointments?from=2199-03-01")
            let listed = calendar.items("appointments")
            #expect(
                listed.map { $0.text("wall") } == ["2199-03-01T11:00"] && listed.first?.text("patientName") == "Luna"
            )
            let before = try await client.get(
                "\(clinic.address)/appointments?from=2199-03-01&asOf=\(tag.filter(\.isNumber))"
            )
            #expect(before.items("appointments").map { $0.text("wall") } == ["2199-03-01T10:00"])
            let history = try await client.get("\(path)/history")
            #expect(
                history.items("versions").map { $0.text("type") }
                    == ["appointment.booked", "appointment.rescheduled"]
            )
            let slots = try await client.get(
                "\(clinic.address)/slots?service=\(clinic.service)&from=2199-03-01&specialist=\(clinic.specialist)"
            )
            let walls = slots.items("slots").compactMap { $0.text("wall") }
            #expect(walls.contains("2199-03-01T10:00"))
            #expect(!walls.contains("2199-03-01T11:15"))
            let own = try await client.get("/v1/records/\(clinic.dog)/appointments")
            #expect(own.items("appointments").map { $0.text("id") } == [id])
        }
    }

    @Test("A series is tried, booked as a whole, and answered again; a taken time stops it or is left out")
    func series() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let path = "\(clinic.address)/appointments/series"
            func body(_ start: String, _ more: String = "") -> String {
                #"{"appointment": \#(clinic.request(at: start)), "everyDays": 7, "count": 52\#(more)}"#
            }
            let tried = try await client.post("\(path)?dryRun=true", body("2199-03-01T10:00"))
            #expect(tried.status == 200, "\(tried.text)")
            #expect(tried.items("booked").count == 52, "\(tried.text)")
            let key = [("Idempotency-Key", "series")]
            let made = try await client.post(path, body("2199-03-01T10:00"), key)
            #expect(made.status == 201, "\(made.text)")
            #expect(made.items("booked").count == 52, "\(made.text)")
            #expect(try await client.post(path, body("2199-03-01T10:00"), key).text == made.text)
            let last = try #require(made.items("booked").last?.text("entry"))
            #expect(try await client.get("/v1/appointments/\(last)").text("wall") == "2200-02-21T10:00")
            let taken = try await client.post(path, body("2199-02-22T10:15"))
            #expect(taken.status == 409)
            #expect(taken.text("type") == "urn:healthjournal:problem:slot-taken")
            #expect(taken.text("detail")?.hasPrefix("2199-03-01T10:15: ") == true)
            let some = try await client.post(path, body("2199-02-22T10:15", #", "skipTaken": true"#))
            #expect(some.status == 201)
            #expect(some.items("booked").count == 1)
            #expect(some.items("skipped").count == 51)
            for wrong in [#", "holdUntil": "2199-03-01T10:00:00Z""#, #", "displacing": {"appointment": "\#(last)"}"#] {
                let appointment = clinic.request(at: "2199-03-02T10:00", wrong)
                let answer = try await client.post(
                    path,
                    #"{"appointment": \#(appointment), "everyDays": 7, "count": 2}"#
                )
                #expect(answer.status == 400, "\(answer.text)")
            }
        }
    }

    @Test("A key sent again gets the first answer; with another time it is a conflict")
    func repeated() async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let key = [("Idempotency-Key", "book-1")]
            let request = clinic.request(at: "2199-03-01T10:00")
            let first = try await client.post("\(clinic.address)/appointments", request, key)
            let again = try await client.post("\(clinic.address)/appointments", request, key)
            #expect(first.status == 201)
            #expect(again.status == 201)
            #expect(first.text("entry") == again.text("entry"))
            #expect(first.json["position"] == again.json["position"])
            let other = clinic.request(at: "2199-03-01T14:00")
            #expect(try await client.post("\(clinic.address)/appointments", other, key).status == 409)
            let calendar = try await client.get("\(clinic.address)/appointments?from=2199-03-01")
            #expect(calendar.items("appointments").count == 1)
        }
    }

    @Test("Strangers see the practice, and nothing of its patients, calendar and appointments")
    func strangers() async throws {
        let fixture = try await ServiceFixture()
        let stranger = try await fixture.account("Stan")
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let id = try await clinic.book(at: "2199-03-01T10:00")
            let other = client.with(stranger.token)
            let practice = try await other.get(clinic.address)
            #expect(practice.status == 200)
            #expect(practice.items("members").isEmpty)
            for path in [
                "\(clinic.address)/patients", "\(clinic.address)/appointments?from=2199-03-01",
                "\(clinic.address)/slots?service=\(clinic.service)&from=2199-03-01", "/v1/appointments/\(id)",
                "/v1/appointments/\(id)/history", "/v1/records/\(clinic.dog)/appointments",
            ] {
                let answer = try await other.get(path)
                #expect(answer.status == 403 || answer.status == 404, "\(path): \(answer.status)")
                #expect(!answer.text.contains("Luna"), "\(path)")
                #expect(!answer.text.contains("2199-03-01T"), "\(path)")
            }
            for word in AppointmentVerb.allCases where word != .edit && word.example != nil {
                let body = JSONWriter.text(word.example ?? [:])
                let answer = try await other.post("/v1/appointments/\(id)/\(word.rawValue)", body)
                #expect(answer.status == 403, "\(word): \(answer.text)")
            }
            let changes: [(HTTPRequest.Method, String, String)] = [
                (.put, "/timetable", #"{"from": "2000-01-01"}"#), (.put, "/rooms/\(UUID())", #"{"name": "X"}"#),
                (.post, "/specialists", #"{"name": "X"}"#), (.post, "/close", ""),
            ]
            for (method, path, body) in changes {
                let answer = try await other.send(method, clinic.address + path, body)
                #expect(answer.status == 403, "\(path): \(answer.text)")
            }
        }
    }
}
