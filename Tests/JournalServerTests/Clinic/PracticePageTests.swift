import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalServer

@Suite("Pages of practices and appointments")
struct PracticePageTests {
    private static let day = "2199-03-01"

    @Test("An appointment is booked in three clicks: the patient, the time, and the button; the last service is chosen")
    func threeClicks() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let search = "/practices/\(clinic.practice)/patients"
            #expect(try await !browser.get(search).text.contains("Luna"))
            let found = try await browser.submit(search, ["name": "lun"])
            #expect(found.status == 200)
            #expect(found.text.contains("<strong dir=\"auto\">Luna</strong>"))

            let times = try await browser.get(found.link(to: "/book?record="))
            #expect(times.text.contains("aria-current=\"true\""))
            #expect(times.text.contains("Check-up"))
            let slot = try await browser.get(times.link(to: "&amp;slot="))
            #expect(slot.status == 200)
            #expect(slot.text.contains("Ada Roth"))
            #expect(slot.text.contains("Europe/Zurich"))

            let booked = try await browser.post("/practices/\(clinic.practice)/book", slot.formFields)
            let place = try #require(booked.location, "\(booked.text)")
            #expect(place.hasPrefix("/appointments/"))
            #expect(place.hasSuffix("?done=booked"))
            let shown = try await browser.get(place)
            #expect(shown.text.contains("scheduled") && shown.text.contains("The appointment is booked."))

            // The same form, sent twice, books once.
            let again = try await browser.post("/practices/\(clinic.practice)/book", slot.formFields)
            #expect(again.location == place)
            let own = try await clinic.client.get("/v1/records/\(clinic.dog)/appointments")
            #expect(own.items("appointments").count == 1)
        }
    }

    @Test("A receptionist who owns no record books for a patient without appointments, and begins no treatment")
    func receptionist() async throws {
        try await Self.clinic { clinic, _, fixture in
            let rita = try await fixture.account("Rita")
            let member = "\(clinic.address)/members/\(rita.id.text)"
            let set = try await clinic.client.send(.put, member, #"{"roles": ["receptionist"]}"#)
            #expect(set.status == 200)
            let browser = Browser(client: clinic.client, cookie: try await fixture.session(of: rita.id))
            let book = "/practices/\(clinic.practice)/book"
            let times = try await browser.get("\(book)?record=\(clinic.dog)")
            #expect(times.status == 200, "\(times.text)")
            let slot = try await browser.get(times.link(to: "&amp;slot="))
            #expect(try await browser.post(book, slot.formFields).status == 303)

            // Before the time that was booked, which may begin in this minute.
            let before = Self.minute(-40)
            let id = try await clinic.book(at: before, #", "type": "emergency", "notes": "bites""#)
            let arrived = try await browser.submit(
                "/appointments/\(id)/change",
                ["change": "arrive"],
                from: "/appointments/\(id)"
            )
            #expect(arrived.status == 303)
            let shown = try await browser.get("/appointments/\(id)").text
            #expect(!shown.contains("value=\"begin\""))
            #expect(!shown.contains("bites"))
            #expect(!shown.contains("name=\"notes\""))
            let begun = try await browser.submit(
                "/appointments/\(id)/change",
                ["change": "begin"],
                from: "/appointments/\(id)"
            )
            #expect(begun.status == 403)
        }
    }

    @Test("The reception creates a patient with its client, and goes on to book or to the board")
    func newPatient() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let path = "/practices/\(clinic.practice)/new-patient"
            let empty = try await browser.submit(path, ["species": "dog", "phone": "1"])
            #expect(empty.status == 400)
            #expect(empty.text.contains("Enter a name, or what identifies the animal."))
            #expect(empty.text.contains("value=\"dog\""))
            let nameless = try await browser.submit(path, ["name": "Rex", "phone": "1"])
            #expect(nameless.status == 400)
            #expect(nameless.text.contains("First or last name") == false)
            let made = try await browser.submit(path, ["name": "Rex", "species": "dog", "lastName": "Moser"])
            let place = try #require(made.location, "\(made.text)")
            #expect(place.hasPrefix("/practices/\(clinic.practice)/book?record="))
            #expect(try await browser.get(place).text.contains("Rex"))
            let arrived = try await browser.submit(path, ["name": "black cat"], from: "\(path)?next=arrive")
            let board = try #require(arrived.location, "\(arrived.text)")
            #expect(board.hasPrefix("/practices/\(clinic.practice)/arrive?record="))
            #expect(try await browser.get(board).text.contains("black cat"))
        }
    }

    @Test("A member links the feed of a specialist, whose address is shown once, and unlinks it")
    func feeds() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let path = "/practices/\(clinic.practice)/feeds"
            #expect(try await browser.submit(path, [:]).text.contains("Choose a specialist."))
            let made = try await browser.submit(path, ["specialist": clinic.specialist, "detail": "names"])
            let address = try #require(
                made.text.firstMatch(of: /\/calendar\/[A-Za-z0-9_-]+\.ics/)?.output,
                "\(made.text)"
            )
            _ = try await clinic.book(at: "\(Self.minute(60 * 24))")
            let feed = try await clinic.client.get(String(address))
            #expect(feed.status == 200)
            #expect(feed.text.contains("Check-up\\, Luna"))
            #expect(feed.text.contains("DTEND:"))
            let shown = try await browser.get(path)
            #expect(shown.text.contains("<bdi>Ada Roth</bdi>"))
            #expect(shown.text.contains("With the names of the animals"))
            let unlink = try #require(shown.text.firstMatch(of: /action="([^"]+\/unlink)"/)?.output.1)
            var fields = shown.formFields
            fields["specialist"] = clinic.specialist
            #expect(try await browser.post(String(unlink), fields).status == 303)
            #expect(try await clinic.client.get(String(address)).status == 404)
        }
    }

    @Test("An owner gives a practice access, and ends it, on the page of caregivers")
    func access() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let caregivers = "/records/\(clinic.dog)/caregivers"
            let form = try await browser.get("\(caregivers)/practice")
            #expect(form.text.contains("Two Rooms"))
            let wrong = try await browser.submit("\(caregivers)/practice", ["until": "soon"])
            #expect(wrong.status == 400)
            let given = try await browser.submit("\(caregivers)/practice", ["practice": clinic.practice])
            #expect(given.location == "\(caregivers)?done=practiceGranted")
            let notice = try await browser.get("\(caregivers)?done=practiceGranted")
            #expect(notice.text.contains("The practice has access now."))
            let shown = try await browser.get(caregivers)
            #expect(shown.text.contains("<bdi>Two Rooms</bdi>"))
            let ended = try await browser.submit("\(caregivers)/\(clinic.practice)/revoke", [:])
            #expect(ended.status == 303, "\(ended.text)")
        }
    }

    @Test("Who comes second for a time sees what is free instead, keeps what was typed, and books it with one button")
    func taken() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let cat = try await clinic.client.post(
                "/v1/records",
                #"{"subject": "animal", "profile": {"name": "Momo"}}"#
            )
            let record = try #require(cat.text("record"))
            _ = try await clinic.client.send(.put, "\(clinic.address)/patients/\(record)", "{}")
            let book = "/practices/\(clinic.practice)/book"
            let times = try await browser.get("\(book)?record=\(record)&service=\(clinic.service)&from=\(Self.day)")
            let slot = try await browser.get(times.link(to: "&amp;slot=\(Self.day)T09:00:00"))
            _ = try await clinic.book(at: "\(Self.day)T10:00")

            var fields = slot.formFields
            fields["about"] = "coughs <at> night"
            let refused = try await browser.post(book, fields)
            #expect(refused.status == 409)
            #expect(refused.text.contains("role=\"alert\""))
            #expect(refused.text.contains("10:00–10:30"))
            #expect(!refused.text.contains("Luna"))
            #expect(refused.formFields["about"] == "coughs <at> night")
            let alternatives = refused.text.matches(of: /<button name="slot" value="([^"]*)">/).map { String($0.1) }
            #expect(alternatives.count == 5)

            var others = refused.formFields
            others["slot"] = alternatives.first
            let booked = try await browser.post(book, others)
            #expect(booked.status == 303, "\(booked.text)")
            let shown = try await browser.get(booked.location ?? "")
            #expect(shown.text.contains("coughs &lt;at&gt; night"))
        }
    }

    @Test("The day leads an appointment from its arrival to its completion, each by one button")
    func dayByButtons() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let id = try await clinic.book(at: Self.now, #", "type": "emergency""#)
            let day = "/practices/\(clinic.practice)/day"
            for (change, status) in [("arrive", "scheduled"), ("begin", "in progress"), ("complete", "completed")] {
                let page = try await browser.get(day)
                #expect(page.text.contains("name=\"change\" value=\"\(change)\""), "\(change)")
                var fields = page.formFields
                fields["change"] = change
                let done = try await browser.post("/appointments/\(id)/change", fields)
                let place = try #require(done.location, "\(done.text)")
                #expect(place.hasPrefix("\(day)?day="))
                #expect(place.hasSuffix("#visit-\(id)"))
                let after = try await browser.get(day)
                #expect(after.text.contains(status))
                if change == "arrive" { #expect(after.text.contains("arrived")) }
            }
            #expect(try await !browser.get(day).text.contains("name=\"change\""))
        }
    }

    @Test("The past of a day is as it was known, and has no buttons")
    func past() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let id = try await clinic.book(at: "\(Self.day)T10:00")
            let head = try await clinic.client.get("/v1/appointments/\(id)").headers[.eTag] ?? ""
            _ = try await clinic.client.post("/v1/appointments/\(id)/move", #"{"start": "\#(Self.day)T15:00"}"#)
            let day = "/practices/\(clinic.practice)/day?day=\(Self.day)"
            let now = try await browser.get(day).text
            #expect(now.contains("15:00–15:30"))
            #expect(now.contains("name=\"change\" value=\"confirm\""))
            let then = try await browser.get("\(day)&asOf=\(head.filter(\.isNumber))").text
            #expect(then.contains("10:00–10:30"))
            #expect(!then.contains("15:00–15:30"))
            #expect(!then.contains("name=\"change\""))
            #expect(then.contains("As known at position"))
            let before = try await browser.get("\(day)&asOf=2020-01-01T08:00")
            // Before the practice was created, there is none.
            #expect(before.status == 404)
        }
    }

    @Test("A change that is refused says why, and keeps what was typed")
    func refusedChange() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let id = try await clinic.book(at: "\(Self.day)T10:00")
            let address = "/appointments/\(id)"
            let page = try await browser.get(address)
            #expect(page.text.contains("value=\"cancel\""))
            #expect(page.text.contains("value=\"reassign\""))
            var fields = page.formFields
            fields["change"] = "note"
            fields["text"] = ""
            fields["reason"] = "said by <phone>"
            let empty = try await browser.post("\(address)/change", fields)
            #expect(empty.status == 400)
            #expect(empty.text.contains("said by &lt;phone&gt;"))
            #expect(empty.text.contains("aria-invalid=\"true\""))

            fields["text"] = "Bites."
            #expect(try await browser.post("\(address)/change", fields).location == "\(address)?done=added")
            #expect(try await browser.get(address).text.contains("Bites."))

            // The page was opened before the remark was added.
            fields["change"] = "cancel"
            fields["code"] = "prevented"
            let stale = try await browser.post("\(address)/change", fields)
            #expect(stale.status == 409)
            #expect(stale.text.contains("changed in the meantime"))

            fields["version"] = stale.formFields["version"]
            #expect(try await browser.post("\(address)/change", fields).status == 303)
            fields["change"] = "begin"
            fields["version"] = ""
            let impossible = try await browser.post("\(address)/change", fields)
            #expect(impossible.status == 409)
            #expect(impossible.text.contains("cancelled cannot be begun"))
            let shown = try await browser.get(address).text
            #expect(shown.contains("value=\"reinstate\""))
            #expect(!shown.contains("value=\"arrive\""))
            #expect(shown.contains("Appointment cancelled"))
            #expect(shown.contains("Appointment booked"))
        }
    }

    @Test("Each change of an appointment has a form, and what was entered in error has none any more")
    func changes() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let added = try await clinic.client.post("\(clinic.address)/specialists", #"{"name": "Ben Meier"}"#)
            let ben = try #require(added.text("id"))
            let id = try await clinic.book(at: "\(Self.day)T10:00", #", "notes": "bites""#)
            let other = try await clinic.client.post(
                "/v1/records",
                #"{"subject": "animal", "profile": {"name": "Momo"}}"#
            )
            let cat = try #require(other.text("record"))
            _ = try await clinic.client.send(.put, "\(clinic.address)/patients/\(cat)", "{}")
            let request = clinic.request(at: "\(Self.day)T10:00").replacing(clinic.dog, with: cat)
            let blocking = try await clinic.client.post(
                "\(clinic.address)/appointments",
                request.replacing(clinic.specialist, with: ben)
            )
            #expect(blocking.status == 201)

            let address = "/appointments/\(id)"
            func send(_ change: String, _ values: [String: String] = [:]) async throws -> Answer {
                let fields = values.merging(["change": change]) { value, _ in value }
                return try await browser.submit("\(address)/change", fields, from: address)
            }
            // The notes are sent back as they were, because the form shows them to those who treat.
            let edited = try await send("edit", ["about": "limps", "instructions": "no food\r\nno water"])
            #expect(edited.location == "\(address)?done=changed", "\(edited.text)")
            let shown = try await browser.get(address).text
            #expect(shown.contains("limps"))
            #expect(shown.contains("no food\nno water"))
            #expect(shown.contains("bites"))

            let taken = try await send("reassign", ["specialist": ben])
            #expect(taken.status == 409)
            #expect(taken.text.contains("Free instead"))
            let moved = try await clinic.client.post(
                "/v1/appointments/\(blocking.text("entry") ?? "")/move",
                #"{"start": "\#(Self.day)T20:00"}"#
            )
            #expect(moved.status == 200)
            #expect(try await send("reassign", ["specialist": ben]).status == 303)
            let versions = try await browser.get(address).text
            #expect(versions.contains("Ada Roth</del>"))
            #expect(versions.contains("Ben Meier</ins>"))

            #expect(try await send("confirm", ["way": "phone"]).location == "\(address)?done=visitConfirmed")
            // It is too early to say that the patient did not come.
            #expect(try await send("missed").status == 409)
            #expect(try await send("cancel").location == "\(address)?done=visitCancelled")
            #expect(try await send("reinstate").location == "\(address)?done=visitReinstated")
            #expect(try await send("retract", ["reason": "wrong animal"]).location == "\(address)?done=visitRetracted")
            let gone = try await browser.get(address).text
            #expect(gone.contains("entered in error and removed"))
            #expect(!gone.contains("name=\"change\""))
            #expect(gone.contains("wrong animal"))
            let day = try await browser.get("/practices/\(clinic.practice)/day?day=\(Self.day)").text
            #expect(!day.contains("Luna"))
            #expect(day.contains("Momo"))
        }
    }

    @Test(
        "The page of an appointment offers each role exactly the changes that the application permits",
        arguments: ClinicRole.allCases
    )
    func offered(_ role: ClinicRole) async throws {
        try await Self.clinic { clinic, _, fixture in
            let account = try await fixture.account("Kim")
            let member = "\(clinic.address)/members/\(account.id.text)"
            let set = try await clinic.client.send(.put, member, #"{"roles": ["\#(role.rawValue)"]}"#)
            #expect(set.status == 200)
            let browser = Browser(client: clinic.client, cookie: try await fixture.session(of: account.id))
            var hour = 0
            for (state, changes) in [
                ("scheduled", []), ("arrived", ["arrive"]), ("in progress", ["begin"]), ("cancelled", ["cancel"]),
                ("completed", ["begin", "complete"]), ("held", []),
            ] {
                // Who has arrived cannot arrive again: that changes nothing, and is no error.
                for step in AppointmentVerb.offered where !(state == "arrived" && step == .arrive) {
                    let day = 1 + hour / 24
                    let start = "2199-03-0\(day)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00"
                    hour += 1
                    let until = Self.minute(60)
                    let id = try await clinic.book(at: start, state == "held" ? #", "holdUntil": "\#(until)""# : "")
                    for change in changes {
                        let body = change == "cancel" ? "{}" : #"{"ahead": true}"#
                        _ = try await clinic.client.post("/v1/appointments/\(id)/\(change)", body)
                    }
                    let address = "/appointments/\(id)"
                    let page = try await browser.get(address)
                    let isOffered = page.text.contains("name=\"change\" value=\"\(step.rawValue)\"")
                    var fields = page.formFields
                    fields["formToken"] = fields["formToken"] ?? ""
                    fields["change"] = step.rawValue
                    fields["text"] = "calm"
                    fields["reason"] = "asked for"
                    fields["ahead"] = "true"
                    let answer = try await browser.post("\(address)/change", fields)
                    let isDone = answer.status == 303
                    #expect(isOffered == isDone, "\(role), \(state), \(step): \(answer.status)")
                    if !isDone { #expect([403, 409].contains(answer.status), "\(role), \(state), \(step)") }
                }
            }
        }
    }

    @Test("Names are escaped on each page, and are in no title")
    func names() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let name = "<b>\\\"Rex\\\"</b>"
            let made = try await clinic.client.post(
                "/v1/records",
                #"{"subject": "animal", "profile": {"name": "\#(name)", "species": "<i>dog"}}"#
            )
            let record = try #require(made.text("record"))
            _ = try await clinic.client.send(.put, "\(clinic.address)/patients/\(record)", "{}")
            let booked = try await clinic.client.post(
                "\(clinic.address)/appointments",
                clinic.request(at: "\(Self.day)T10:00").replacing(clinic.dog, with: record)
            )
            let id = try #require(booked.text("entry"))
            let base = "/practices/\(clinic.practice)"
            for page in [
                "\(base)/day?day=\(Self.day)", "\(base)/week?day=\(Self.day)", "\(base)/print?day=\(Self.day)",
                "\(base)/book?record=\(record)", "/appointments/\(id)", "\(base)/book?record=\(record)&moving=\(id)",
            ] {
                let answer = try await browser.get(page)
                #expect(answer.status == 200, "\(page): \(answer.status)")
                #expect(answer.text.contains("&lt;b&gt;"), "\(page): \(answer.status)")
                #expect(!answer.text.contains("<b>\""), "\(page)")
                #expect(!answer.text.contains("<i>dog"), "\(page)")
                let title = answer.text.firstMatch(of: /<title>(.*)<\/title>/).map { String($0.1) } ?? ""
                #expect(!title.contains("Rex"), "\(page)")
            }
            let found = try await browser.submit("\(base)/patients", ["name": "rex"])
            #expect(found.text.contains("&lt;b&gt;"))
            #expect(!found.text.contains("<b>\""))
        }
    }

    @Test("Pages of practices are refused to those who are no members, and unknown ids are not found")
    func strangers() async throws {
        let fixture = try await ServiceFixture()
        let stranger = try await fixture.account("Stan")
        let cookie = try await fixture.session(of: stranger.id)
        let owner = fixture.owner.account
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client, member: owner)
            let id = try await clinic.book(at: "\(Self.day)T10:00")
            let other = Browser(client: client, cookie: cookie)
            #expect(try await !other.get("/practices").text.contains("Two Rooms"))
            #expect(try await !other.get("/records").text.contains("href=\"/practices\""))
            for page in ["", "/day", "/week", "/open", "/print", "/patients", "/book?record=\(clinic.dog)"] {
                let answer = try await other.get("/practices/\(clinic.practice)\(page)")
                #expect([403, 404].contains(answer.status), "\(page): \(answer.status)")
                #expect(!answer.text.contains("Luna"), "\(page)")
                let unknown = try await other.get("/practices/\(UUID())\(page)")
                #expect(unknown.status == 404, "\(page): \(unknown.status)")
            }
            #expect(try await other.get("/appointments/\(id)").status == 403)
            #expect(try await other.get("/appointments/\(UUID())").status == 404)
            let search = try await other.submit(
                "/practices/\(clinic.practice)/patients",
                ["name": "Luna"],
                from: "/settings"
            )
            #expect(search.status == 403)
            #expect(!search.text.contains("Luna"))
            let change = try await other.submit(
                "/appointments/\(id)/change",
                ["change": "cancel", "version": ""],
                from: "/settings"
            )
            #expect(change.status == 403)
        }
    }

    @Test("An owner books what is online, moves and cancels it from the page of the animal, and sees no staff's texts")
    func client() async throws {
        let fixture = try await ServiceFixture()
        let manager = try await fixture.account("Maria")
        let cookie = try await fixture.session(of: fixture.owner.account)
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client.with(manager.token))
            let inside = UUID().uuidString.lowercased()
            let service = #"{"name": "Surgery only", "type": "surgery", "minutes": 60}"#
            let set = try await clinic.client.send(.put, "\(clinic.address)/services/\(inside)", service)
            #expect(set.status == 200)
            let made = try await client.post("/v1/records", #"{"subject": "animal", "profile": {"name": "Nero"}}"#)
            let dog = try #require(made.text("record"))
            let owner = Browser(client: client, cookie: cookie)
            let list = "/records/\(dog)/appointments"
            let empty = try await owner.get(list)
            #expect(empty.status == 200)
            #expect(empty.text.contains("No appointments"))

            let times = try await owner.get(empty.link(to: "/book?record="))
            #expect(times.text.contains("Check-up"))
            #expect(!times.text.contains("Surgery only"))
            let slot = try await owner.get(times.lastLink(to: "&amp;slot="))
            let booked = try await owner.post("/practices/\(clinic.practice)/book", slot.formFields)
            let place = try #require(booked.location, "\(booked.text)")
            let id = place.replacing("/appointments/", with: "").replacing("?done=booked", with: "")
            let noted = try await clinic.client.post("/v1/appointments/\(id)/note", #"{"text": "Owner is rude."}"#)
            #expect(noted.status == 403 || noted.status == 200)
            let shown = try await owner.get(place).text
            #expect(
                !shown.contains("rude") && !shown.contains("value=\"arrive\"") && shown.contains("value=\"cancel\"")
            )

            let coming = try await owner.get(list)
            #expect(coming.text.contains("Check-up"))
            #expect(coming.text.contains("Two Rooms"))
            let moving = try await owner.get(coming.link(to: "&amp;moving="))
            let other = try await owner.get(moving.link(to: "&amp;slot="))
            let moved = try await owner.post("/practices/\(clinic.practice)/book", other.formFields)
            #expect(moved.location == "/appointments/\(id)?done=visitMoved", "\(moved.text)")

            let cancelled = try await owner.submit(
                "/appointments/\(id)/change",
                ["change": "cancel", "code": "not-needed"],
                from: "/appointments/\(id)"
            )
            // After the move it may start too soon to be cancelled by a client.
            #expect([303, 409].contains(cancelled.status))
        }
    }

    @Test("The staff books a series from the page of a time; a wrong number and a taken time are named")
    func series() async throws {
        try await Self.clinic { clinic, browser, _ in
            let base = "/practices/\(clinic.practice)/book"
            let query = "?record=\(clinic.dog)&service=\(clinic.service)&from=\(Self.day)"
            let times = try await browser.get(base + query)
            let slot = try await browser.get(times.link(to: "&amp;slot="))
            #expect(slot.text.contains("Repeat it"))
            #expect(!slot.text.contains("<details class=\"step\" open>"))
            var fields = slot.formFields
            (fields["weeks"], fields["times"]) = ("2", "1")
            let wrong = try await browser.post(base, fields)
            #expect(wrong.status == 400)
            #expect(wrong.text.contains("<details class=\"step\" open>"))
            #expect(wrong.text.contains("Must be between 2 and 52."), "\(wrong.text)")
            fields["times"] = "3"
            let booked = try await browser.post(base, fields)
            let place = try #require(booked.location, "\(booked.text)")
            #expect(try await browser.get(place).text.contains("All appointments of the series are booked."))
            for day in [Self.day, "2199-03-15", "2199-03-29"] {
                #expect(try await browser.get("/practices/\(clinic.practice)/day?day=\(day)").text.contains("Luna"))
            }
            // The first time of another series is free, its second one is not.
            let early = try await browser.get(base + "?record=\(clinic.dog)&service=\(clinic.service)&from=2199-02-15")
            var again = try await browser.get(early.link(to: "&amp;slot=")).formFields
            (again["weeks"], again["times"]) = ("2", "2")
            let taken = try await browser.post(base, again)
            #expect(taken.status == 409, "\(taken.text)")
            #expect(taken.text.contains("2199-03-01T00:00: "), "\(taken.text)")
            #expect(taken.text.contains("value=\"2\""))
        }
    }

    @Test("A reader in New York sees the same instants, both clocks, and days that begin at midnight of the practice")
    func otherClock() async throws {
        try await Self.clinic { clinic, browser, _ in
            // 23:30 of the 1st in Zurich is 17:30 in New York, and 00:30 of the 2nd is still the 1st there.
            let late = try await clinic.book(at: "2199-03-01T23:30")
            let early = try await clinic.book(at: "2199-03-02T00:30")
            let away = Browser(
                client: browser.client,
                cookie: try #require(browser.cookie) + "; hj_reader=locale=en-GB&zone=America/New_York"
            )
            for (day, id) in [("2199-03-01", late), ("2199-03-02", early)] {
                let page = try await away.get("/practices/\(clinic.practice)/day?day=\(day)").text
                #expect(page.matches(of: /id="visit-[-0-9a-f]+"/).map { String($0.output) } == ["id=\"visit-\(id)\""])
                let calendar = try await clinic.client.get("\(clinic.address)/appointments?from=\(day)")
                #expect(calendar.items("appointments").map { $0.text("id") } == [id])
            }
            let home = Browser(
                client: browser.client,
                cookie: try #require(browser.cookie) + "; hj_reader=zone=Europe/Zurich"
            )
            let own = try await home.get("/appointments/\(early)").text
            #expect(own.contains("00:30–01:00"))
            #expect(!own.contains("By your own clock"))
            let other = try await away.get("/appointments/\(early)").text
            #expect(other.contains("00:30–01:00"))
            #expect(other.contains("clock in Europe/Zurich"))
            let lines = other.matches(of: /By your own clock: [^<]*/).map { String($0.output) }
            #expect(lines == ["By your own clock: 1 Mar 2199 at 18:30 GMT-5."])
            let list = try await away.get("/records/\(clinic.dog)/appointments").text
            #expect(list.contains("By your own clock: 1 Mar 2199 at 17:30 GMT-5."))
            let shown = try await clinic.client.get("/v1/appointments/\(early)")
            #expect(shown.text("start") == "2199-03-01T23:30:00Z")
            #expect(shown.text("wall") == "2199-03-02T00:30")
        }
    }

    @Test("The week, the work list and the list to print show what they are for")
    func lists() async throws {
        try await Self.clinic { clinic, browser, fixture in
            _ = try await clinic.book(at: "\(Self.day)T10:00", #", "reason": "vaccination booster""#)
            let base = "/practices/\(clinic.practice)"
            let week = try await browser.get("\(base)/week?day=\(Self.day)").text
            #expect(week.matches(of: /<li class="day/).count == 7 && week.contains("10:00 <bdi>Luna</bdi>"))
            let printed = try await browser.get("\(base)/print?day=\(Self.day)").text
            #expect(printed.contains("vaccination booster"))
            #expect(!printed.contains("<nav"))
            #expect(try await browser.get("\(base)/open").text.contains("Nothing is open."))

            // An absence is entered after the appointment was booked.
            let absence = try await clinic.client.send(
                .put,
                "\(clinic.address)/specialists/\(clinic.specialist)/absences/\(UUID())",
                #"{"from": "\#(Self.tomorrow)T00:00:00Z", "until": "2199-12-31T00:00:00Z", "why": "sick"}"#
            )
            #expect(absence.status == 200, "\(absence.text)")
            let day = try await browser.get("\(base)/day?day=\(Self.day)").text
            #expect(day.contains("Needs attention:"))
            #expect(day.contains("absent"))
            #expect(!day.contains("sick"))

            // An emergency of an hour ago has no outcome yet.
            let id = try await clinic.book(at: Self.minute(-120), #", "type": "emergency""#)
            let open = try await browser.get("\(base)/open").text
            #expect(open.contains("/appointments/\(id)"))
            #expect(open.contains("No outcome yet"))
            #expect(try await browser.get("/records").text.contains("href=\"/practices\""))
            #expect(try await browser.get("/practices").text.contains("Two Rooms"))
            #expect(try await browser.get(base).location == "\(base)/day")
        }
    }

    @Test("A closed day says so, and names the holiday")
    func closed() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let hours =
                #"{"from": "2198-01-01", "usual": ["mon-fri 08:00-12:00"], "#
                + #""holidays": ["2199-03-04 closed Founders' day"]}"#
            let set = try await clinic.client.send(.put, "\(clinic.address)/timetable", hours)
            #expect(set.status == 200, "\(set.text)")
            let day = "/practices/\(clinic.practice)/day?day="
            #expect(try await browser.get(day + "2199-03-01").text.contains("Open 08:00–12:00"))
            #expect(try await browser.get(day + "2199-03-03").text.contains("Closed"))
            #expect(try await browser.get(day + "2199-03-04").text.contains("Closed (Founders&#39; day)"))
        }
    }

    /// Runs a test with a clinic and a browser in which a member with all roles is signed in.
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

    /// The present minute.
    private static var now: String { minute(0) }

    /// A minute so many minutes from now.
    private static func minute(_ offset: Int64) -> String {
        Instant(microseconds: (Int64(Date().timeIntervalSince1970 / 60) + offset) * 60_000_000).description
    }

    private static var tomorrow: String {
        String(Instant(microseconds: Int64(Date().timeIntervalSince1970 + 86_400) * 1_000_000).description.prefix(10))
    }
}
