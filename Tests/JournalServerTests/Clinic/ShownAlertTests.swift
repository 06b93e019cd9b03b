import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalServer

@Suite("Pages of a practice that show alerts, offer emergencies and load themselves")
struct ShownAlertTests {
    @Test("The alerts of an animal are on each page on which the staff meets it, and on none of its owner")
    func alerts() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let patient = "\(clinic.address)/patients/\(clinic.dog)"
            let set = try await clinic.client.send(.put, patient, #"{"alerts": "bites <b>men</b>"}"#)
            #expect(set.status == 200, "\(set.text)")
            let appointment = try await clinic.book(at: "2199-03-01T10:00")
            let triage = try await clinic.beginTriage()
            let base = "/practices/\(clinic.practice)"
            for path in [
                "\(base)/day?day=2199-03-01", "\(base)/print?day=2199-03-01", "\(base)/board",
                "/appointments/\(appointment)", "/triage/\(triage)", "/triage/\(triage)/assess",
            ] {
                let page = try await browser.get(path)
                #expect(page.status == 200, "\(path)")
                #expect(page.text.contains("bites &lt;b&gt;men"), "\(path)")
            }
            for path in ["\(base)/patients", "\(base)/arrive"] {
                let found = try await browser.submit(path, ["name": "lun"])
                #expect(found.text.contains("bites &lt;b&gt;men"), "\(path)")
            }
            // A member of the practice who owns the animal reads it as staff; the API says it, too.
            let shown = try await clinic.client.get("/v1/appointments/\(appointment)")
            #expect(shown.text("alerts") == "bites <b>men</b>")
        }
    }

    @Test("Two animals of one name are told apart by the clients who bring them")
    func sameName() async throws {
        try await Self.clinic { clinic, browser, _ in
            for (first, last) in [("Ida", "Keller"), ("Ben", "Moser")] {
                let client = try await clinic.client.post(
                    "\(clinic.address)/clients",
                    #"{"firstName": "\#(first)", "lastName": "\#(last)"}"#
                )
                let id = try #require(client.text("id"), "\(client.text)")
                let body = #"{"subject": "animal", "profile": {"name": "Rex"}}"#
                let record = try #require(try await clinic.client.post("/v1/records?similar=true", body).text("record"))
                let kept = #"{"clients": ["\#(id)"]}"#
                let set = try await clinic.client.send(.put, "\(clinic.address)/patients/\(record)", kept)
                #expect(set.status == 200 || set.status == 201, "\(set.text)")
            }
            for path in ["patients", "arrive"] {
                let found = try await browser.submit("/practices/\(clinic.practice)/\(path)", ["name": "rex"])
                #expect(found.text.contains("brought by Ida Keller"))
                #expect(found.text.contains("brought by Ben Moser"))
            }
        }
    }

    @Test("Who looks for a patient that is on the board already is told so, and since when")
    func waiting() async throws {
        try await Self.clinic { clinic, browser, _ in
            let path = "/practices/\(clinic.practice)/arrive"
            #expect(try await !browser.submit(path, ["name": "lun"]).text.contains("On the board already"))
            let triage = try await clinic.beginTriage()
            let found = try await browser.submit(path, ["name": "lun"])
            #expect(found.text.contains("On the board already, since "))
            #expect(try await clinic.client.post("/v1/triage/\(triage)/take", "{}").status == 200)
            #expect(try await !browser.submit(path, ["name": "lun"]).text.contains("On the board already"))
        }
    }

    @Test("The board loads itself, also without JavaScript, but not while something can be typed")
    func board() async throws {
        try await Self.clinic { clinic, browser, _ in
            let base = "/practices/\(clinic.practice)/board"
            let refresh = try #require(HTTPField.Name("Refresh"))
            let board = try await browser.get(base)
            #expect(board.headers[refresh] == "60; url=\(base)?automatic=true")
            #expect(!board.text.contains("name=\"asOf\""))
            #expect(board.text.contains("\(base)?still=true"))
            #expect(try await browser.get("\(base)?automatic=true").headers[refresh] != nil)
            let still = try await browser.get("\(base)?still=true")
            #expect(still.headers[refresh] == nil)
            #expect(still.text.contains("name=\"asOf\""))
            let past = try await browser.get("\(base)?asOf=2100-01-01T00:00")
            #expect(past.headers[refresh] == nil)
        }
    }

    @Test("A page that loads itself does not keep a session alive")
    func automatic() throws {
        let start = try Instant(parsing: "2026-01-01T00:00:00Z")
        let idle = IdleSessions(.seconds(900), now: start)
        let session = UUID()
        #expect(idle.use(session, at: start))
        for minute in 1...15 {
            #expect(idle.use(session, isAutomatic: true, at: start.adding(minutes: minute)))
        }
        #expect(!idle.use(session, isAutomatic: true, at: start.adding(minutes: 16)))
    }

    @Test("A night emergency is booked on the pages, in hours for emergencies alone")
    func nightEmergency() async throws {
        try await Self.clinic { clinic, browser, _ in
            let hours =
                #"{"from": "2000-01-01", "usual": ["mon-fri 08:00-12:00"], "emergency": ["mon-sun 20:00-02:00"]}"#
            let set = try await clinic.client.send(.put, "\(clinic.address)/timetable", hours)
            #expect(set.status == 200, "\(set.text)")
            let book = "/practices/\(clinic.practice)/book?record=\(clinic.dog)"
            // 1 March 2199 is a Friday.
            let usual = try await browser.get("\(book)&from=2199-03-01")
            #expect(!usual.text.contains("&amp;slot=2199-03-01T19:00:00Z"))
            let night = try await browser.get("\(book)&from=2199-03-01&type=emergency")
            #expect(night.status == 200, "\(night.text)")
            #expect(night.text.contains("&amp;slot=2199-03-01T19:00:00Z"), "\(night.text)")
            let link = "\(book)&slot=2199-03-01T19:00:00Z~\(clinic.specialist)&type=emergency"
            let slot = try await browser.get(link)
            #expect(slot.formFields["type"] == "emergency")
            let booked = try await browser.post("/practices/\(clinic.practice)/book", slot.formFields)
            let place = try #require(booked.location, "\(booked.text)")
            #expect(place.hasSuffix("?done=booked"))
            let own = try await clinic.client.get("/v1/records/\(clinic.dog)/appointments")
            #expect(own.items("appointments").first?["type"] == .string("emergency"))
        }
    }

    private static func clinic(
        _ test: @escaping @Sendable (ServiceClinic, Browser, ServiceFixture) async throws -> Void
    ) async throws {
        let fixture = try await ServiceFixture()
        let owner = fixture.owner.account
        let cookie = try await fixture.session(of: owner)
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            try await test(clinic, Browser(client: client, cookie: cookie), fixture)
        }
    }
}
