import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Pages of triage")
struct TriagePageTests {
    @Test("One click makes a patient red at once, without rules and without another field; sent twice, it does so once")
    func redNow() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let base = "/practices/\(clinic.practice)"
            let rita = try await clinic.browser(of: "receptionist", fixture)
            let empty = try await rita.get("\(base)/board")
            #expect(empty.status == 200)
            #expect(empty.text.contains("Nobody waits."))
            #expect(empty.text.contains(Self.notice))
            #expect(empty.text.contains("No rules are in force yet"))
            #expect(try await !rita.get("\(base)/arrive").text.contains("Luna"))
            let found = try await rita.submit("\(base)/arrive", ["name": "lun"])
            #expect(found.status == 200)
            #expect(found.text.contains("Luna"))
            #expect(found.text.contains(Self.notice))
            #expect(found.text.contains("aria-label=\"Red now: Luna\""))
            var fields = found.formFields
            fields["how"] = "redNow"
            let begun = try await rita.post("\(base)/board", fields)
            let place = try #require(begun.location, "\(begun.text)")
            #expect(place.hasPrefix("\(base)/board?done=redNowDone#triage-"))
            #expect(try await rita.post("\(base)/board", fields).location == place)

            let board = try await rita.get("\(base)/board?done=redNowDone").text
            #expect(board.matches(of: /<li class="card waits/).count == 1 && board.contains("The patient is red now."))
            #expect(board.contains("<strong>1</strong> red<span class=\"level-meaning\"> · immediate</span>"))
            // Who may not assess has no buttons there.
            #expect(!board.contains("value=\"take\""))
            #expect(!board.contains("/assess\""))
            let short = try await rita.submit("\(base)/arrive", ["name": "l"])
            #expect(short.status == 400)
            #expect(short.text.contains("Enter at least two letters"))
        }
    }

    @Test("A form that puts a patient on the board keeps what was typed if it is refused")
    func refusedArrival() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let base = "/practices/\(clinic.practice)"
            let found = try await browser.submit("\(base)/arrive", ["name": "lun"])
            var fields = found.formFields
            fields["how"] = "begin"
            fields["complaint"] = "<b>" + String(repeating: "x", count: Limits.line)
            let refused = try await browser.post("\(base)/board", fields)
            #expect(refused.status == 400)
            #expect(refused.text.contains("role=\"alert\""))
            #expect(refused.text.contains("What it comes for:"))
            #expect(!refused.text.contains("<b>x"))
            #expect(refused.formFields["complaint"] == fields["complaint"])
            fields["complaint"] = " limps "
            #expect(try await browser.post("\(base)/board", fields).status == 303)
            let board = try await browser.get("\(base)/board").text
            #expect(
                board.contains("limps") && board.contains("not assessed yet")
                    && board.contains("<strong>3</strong> yellow")
            )
        }
    }

    @Test("A patient who comes for an appointment is put on the board from the page of the appointment")
    func ofAppointment() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let id = try await clinic.book(at: "2199-03-01T10:00")
            let page = try await browser.get("/appointments/\(id)").text
            let link = "/practices/\(clinic.practice)/arrive?record=\(clinic.dog)&amp;appointment=\(id)"
            #expect(page.contains(link))
            var fields = try await browser.get(link.replacing("&amp;", with: "&")).formFields
            fields["how"] = "begin"
            let begun = try await browser.post("/practices/\(clinic.practice)/board", fields)
            let triage = String(try #require(begun.location).split(separator: "#triage-").last ?? "")
            #expect(try await clinic.client.get("/v1/triage/\(triage)").text("appointment") == id)
        }
    }

    @Test("An appointment is booked from the page of a triage, through the choice of a time, and leads back to it")
    func booking() async throws {
        try await Self.clinic { clinic, _, fixture in
            let rita = try await clinic.browser(of: "receptionist", fixture)
            let base = "/practices/\(clinic.practice)/book"
            let id = try await clinic.beginTriage(#", "redNow": true"#)
            let page = try await rita.get("/triage/\(id)")
            let link = page.link(to: "/book?")
            #expect(link == "\(base)?record=\(clinic.dog)&assessment=\(id)")

            let services = try await rita.get(link)
            let times = try await rita.get(services.link(to: "&amp;service=\(clinic.service)"))
            let later = times.link(to: "&amp;from=")
            #expect(later.contains("&assessment=\(id)"), "\(later)")
            let slot = try await rita.get(times.lastLink(to: "&amp;slot="))
            for step in [services, times, slot] {
                #expect(step.status == 200)
                #expect(step.text.contains("href=\"/triage/\(id)\">Booking from the triage"))
                #expect(step.text.contains("<strong>1</strong> red"))
                #expect(step.text.contains(Self.notice))
            }
            var fields = slot.formFields
            #expect(fields["assessment"] == id)
            let booked = try await rita.post(base, fields)
            let place = try #require(booked.location, "\(booked.text)")
            let appointment = try #require(place.split(separator: "?").first)
            #expect(try await clinic.client.get("/v1\(appointment)").text("assessment") == id)
            let back = "<a href=\"/triage/\(id)\">Booked from the triage</a>"
            #expect(try await rita.get(place).text.contains(back))

            // A refused form keeps the triage.
            fields["key"] = UUID().uuidString
            let taken = try await rita.post(base, fields)
            #expect(taken.status == 409, "\(taken.text)")
            #expect(taken.formFields["assessment"] == id, "\(taken.text)")

            // A manager sees no triage, and so books nothing from one; the appointment does not lead there.
            let manager = try await clinic.browser(of: "manager", fixture)
            let hidden = try await manager.get("/triage/\(id)")
            #expect(hidden.status == 403)
            #expect(!hidden.text.contains("/book?"))
            #expect(try await manager.get(link).status == 403)
            let shown = try await manager.get(place)
            #expect(shown.status == 200)
            #expect(!shown.text.contains("/triage/"))
        }
    }

    @Test("No appointment is booked from a triage of another patient, from one that was removed, or from no id")
    func otherTriage() async throws {
        try await Self.clinic { clinic, browser, _ in
            let base = "/practices/\(clinic.practice)/book"
            let id = try await clinic.beginTriage()
            let other = try await clinic.triageOfDog()
            let query = "?record=\(clinic.dog)&service=\(clinic.service)"
            let times = try await browser.get("\(base)\(query)&assessment=\(id)")
            let slot = try await browser.get(times.lastLink(to: "&amp;slot="))
            for (named, status) in [("none", 400), (other, 404), (UUID().uuidString, 404)] {
                #expect(try await browser.get("\(base)\(query)&assessment=\(named)").status == status, "\(named)")
                var fields = slot.formFields
                fields["assessment"] = named
                #expect(try await browser.post(base, fields).status == status, "\(named)")
            }
            let booked = try await clinic.book(at: "2199-03-01T10:00")
            let moving = "\(base)?record=\(clinic.dog)&moving=\(booked)&assessment=\(id)"
            #expect(try await browser.get(moving).status == 400)
            let removal = ["change": "retract", "reason": "wrong dog"]
            let removed = try await browser.submit("/triage/\(id)/change", removal, from: "/triage/\(id)")
            #expect(removed.status == 303, "\(removed.text)")
            #expect(try await !browser.get("/triage/\(id)").text.contains("/book?"))
            #expect(try await browser.get("\(base)\(query)&assessment=\(id)").status == 404)
            #expect(try await browser.post(base, slot.formFields).status == 404)
        }
    }

    @Test("The form of findings names the usual range of the species, keeps what was typed, and names what is wrong")
    func assess() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let id = try await clinic.triageOfDog()
            let address = "/triage/\(id)/assess"
            let form = try await browser.get(address)
            #expect(form.status == 200, "\(form.text.prefix(400))")
            #expect(form.text.contains(Self.notice), "\(form.text.prefix(400))")
            #expect(
                form.text.contains(
                    "Usual for a dog: up to 220 (younger than 6 months), 70–120 (lighter than 15 kg), otherwise 60–120."
                )
            )
            #expect(form.text.contains("Usual for a dog: 37.5–39.2."))
            #expect(form.text.contains("All species: below 60 → 1 red, below 90 → 2 orange, from 180 → 3 yellow."))
            #expect(form.text.contains("aria-label=\"Red now: Rex\""))
            #expect(!form.text.contains("value=\"immediate\""))
            let order = [
                "name=\"airway\"", "name=\"exposure\"", "massiveBleeding", "labouredBreathing", "value=\"nails\"",
                "name=\"heartRate\"", "name=\"weight\"", "name=\"notes\"",
            ]
            .compactMap { form.text.firstRange(of: $0)?.lowerBound }
            #expect(order.count == 8)
            #expect(order == order.sorted())

            var fields = form.formFields
            fields["heartRate"] = "fast <b>"
            fields["airway"] = "critical"
            fields["notes"] = "seen & heard"
            var sent = fields.sorted { $0.key < $1.key } + [("signs", "collapsed"), ("signs", "lame")]
            let refused = try await browser.post(address, sent)
            #expect(refused.status == 400)
            #expect(refused.text.contains("One field needs to be corrected."))
            #expect(refused.text.contains("id=\"field-heartRate-problem\""))
            #expect(!refused.text.contains("fast <b>"))
            let kept = refused.formFields
            #expect(kept["heartRate"] == "fast <b>")
            #expect(kept["airway"] == "critical")
            #expect(kept["notes"] == "seen & heard")
            #expect(
                refused.text.contains("value=\"collapsed\" checked") && refused.text.contains("value=\"lame\" checked")
            )

            fields["heartRate"] = "200"
            fields["bloodPressure.systolic"] = "999"
            sent = fields.sorted { $0.key < $1.key } + [("signs", "collapsed"), ("signs", "lame")]
            let outside = try await browser.post(address, sent)
            #expect(outside.status == 400)
            #expect(outside.text.contains("id=\"field-bloodPressure-systolic-problem\""))
            fields["bloodPressure.systolic"] = "100"
            fields["symptoms"] = "limps\r\nwhines"
            sent = fields.sorted { $0.key < $1.key } + [("signs", "collapsed"), ("signs", "lame")]
            let done = try await browser.post(address, sent)
            #expect(done.location == "/triage/\(id)?done=assessedNow", "\(done.text)")
            let page = try await browser.get("/triage/\(id)").text
            for text in [
                "<strong>1</strong> red", "Airway: critical", "Sign: collapsed.", "Heart rate: 200 (limit &gt; 180)",
                "Complexity of the case", "Ada Roth", "of 100", "limps, whines", "hj-triage/1", Self.notice,
                "Triage assessed", "seen &amp; heard", "breathing",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            // The next form begins with the signs, and with nothing that was measured.
            let again = try await browser.get(address)
            #expect(again.text.contains("value=\"collapsed\" checked"))
            #expect(again.formFields["heartRate"] == "")
            #expect(again.formFields["airway"] == "notAssessed")
            #expect(again.formFields["symptoms"] == "limps\nwhines")
            var empty = again.formFields
            empty["symptoms"] = ""
            empty["signs"] = nil
            let nothing = try await browser.post(address, empty)
            #expect(nothing.status == 400)
            #expect(nothing.text.contains("Enter at least one finding."))
        }
    }

    @Test("A veterinarian overrides, takes, judges and retracts; each version says what, who, when and why")
    func course() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let id = try await clinic.triageOfDog()
            let address = "/triage/\(id)"
            func send(_ change: String, _ values: [String: String] = [:]) async throws -> Answer {
                let fields = values.merging(["change": change]) { value, _ in value }
                return try await browser.submit("\(address)/change", fields, from: address)
            }
            _ = try await clinic.client.post(
                "\(address.replacing("/triage", with: "/v1/triage"))/assess",
                #"{"pain": 1}"#
            )
            let short = try await send("override", ["level": "2", "reason": "pale <b>"])
            #expect(short.status == 400)
            #expect(short.text.contains("at least 10 characters"))
            #expect(short.text.contains("pale &lt;b&gt;"))
            #expect(short.text.contains("id=\"override\" open"))
            let without = try await send("override", ["level": "", "reason": "looks much worse"])
            #expect(without.status == 400)
            #expect(without.text.contains("id=\"field-override-level-problem\""))
            let set = try await send("override", ["level": "2", "reason": "looks <much> worse"])
            #expect(set.location == "\(address)?done=levelSetNow", "\(set.text)")
            let shown = try await browser.get(address).text
            #expect(shown.contains("A person set the level"))
            #expect(shown.contains("looks &lt;much&gt; worse"))
            #expect(shown.contains("<strong>2</strong> orange"))
            #expect(shown.contains("<strong>3</strong> yellow"))

            let explained = try await browser.get("\(address)/explain?rules=hj-triage/1")
            #expect(explained.status == 200)
            #expect(explained.text.contains("the same to the byte"))
            #expect(explained.text.contains(Self.notice))
            #expect(try await browser.get("\(address)/explain?rules=none/1").status == 404)

            // From the board the reader returns to it.
            let board = "/practices/\(clinic.practice)/board"
            var fields = try await browser.get(board).formFields
            fields["change"] = "take"
            #expect(try await browser.post("\(address)/change", fields).location == "\(board)?done=triageTaken")
            #expect(try await browser.get(board).text.contains("Nobody waits."))
            fields["key"] = UUID().uuidString
            let again = try await browser.post("\(address)/change", fields)
            #expect(again.status == 409)
            #expect(again.text.contains("cannot be taken"))
            #expect(try await browser.get("\(address)/assess").location == address)

            let stale = try await browser.submit(
                "\(address)/change",
                ["change": "judge", "level": "1", "version": "1"],
                from: address
            )
            #expect(stale.status == 409)
            #expect(stale.text.contains("changed in the meantime"))
            #expect(try await send("judge", ["level": "1"]).location == "\(address)?done=triageJudged")
            let nameless = try await send("retract")
            #expect(nameless.status == 400)
            #expect(nameless.text.contains("id=\"field-retract-reason-problem\""))
            #expect(try await send("retract", ["reason": "wrong dog"]).location == "\(address)?done=triageRemoved")
            let page = try await browser.get(address).text
            #expect(page.contains("entered in error and removed"))
            #expect(!page.contains("name=\"change\""))
            for text in ["Triage begun", "wrong dog", "judged as 1 red (immediate)"] {
                #expect(page.contains(text), "\(text)")
            }
        }
    }

    @Test("The page offers each role exactly the changes that the application permits", arguments: ClinicRole.allCases)
    func offered(_ role: ClinicRole) async throws {
        try await Self.clinic { clinic, _, fixture in
            let browser = try await clinic.browser(of: role.rawValue, fixture)
            let board = try await browser.get("/practices/\(clinic.practice)/board")
            #expect(board.status == (role == .manager ? 403 : 200))
            #expect(try await browser.get("/practices/\(clinic.practice)/arrive").status == board.status)
            let day = try await browser.get("/practices/\(clinic.practice)/day").text
            #expect(day.contains("/board\"") == (role != .manager))
            for state in ["begun", "taken"] {
                for step in TriageStep.allCases {
                    let id = try await clinic.triageOfDog()
                    if state == "taken" { _ = try await clinic.client.post("/v1/triage/\(id)/take", "{}") }
                    let address = "/triage/\(id)"
                    let page = try await browser.get(address)
                    #expect(page.status == (role == .manager ? 403 : 200))
                    let isOffered =
                        page.text.contains("name=\"change\" value=\"\(step.rawValue)\"")
                    var fields = try await browser.get("/settings").formFields
                    fields["change"] = step.rawValue
                    fields["reason"] = "as I have seen it"
                    fields["level"] = "2"
                    fields["why"] = "died"
                    let answer = try await browser.post("\(address)/change", fields)
                    #expect(isOffered == (answer.status == 303), "\(role), \(state), \(step): \(answer.status)")
                    if answer.status != 303 {
                        #expect([403, 409].contains(answer.status), "\(role), \(state), \(step)")
                    }
                }
            }
            let id = try await clinic.triageOfDog(#", "complaint": "limps""#)
            _ = try await clinic.client.post("/v1/triage/\(id)/assess", #"{"pain": 3, "notes": "bites"}"#)
            let (page, form) = (try await browser.get("/triage/\(id)"), try await browser.get("/triage/\(id)/assess"))
            #expect(form.status == (role.isClinical ? 200 : 403))
            #expect(page.text.contains("/triage/\(id)/assess") == role.isClinical)
            for text in ["Pain: 3", "bites", "Complexity", "All versions", "Computed with"] {
                #expect(page.text.contains(text) == role.isClinical, "\(role): \(text)")
            }
            let explained = try await browser.get("/triage/\(id)/explain")
            #expect(explained.status == (role.isClinical ? 200 : 403))
            let adoption = try await browser.get("/practices/\(clinic.practice)/rules")
            #expect(adoption.text.contains("name=\"veterinarian\"") == (role == .veterinarian))
        }
    }

    @Test("An owner of the animal sees the level and the reasons in plain words, and nothing else")
    func client() async throws {
        let fixture = try await ServiceFixture()
        let (manager, other) = (try await fixture.account("Maria"), try await fixture.account("Stan"))
        let cookie = try await fixture.session(of: fixture.owner.account)
        let strange = try await fixture.session(of: other.id)
        try await fixture.serve { client in
            let clinic = try await ServiceClinic(client.with(manager.token), member: manager.id)
            let made = try await client.post(
                "/v1/records?similar=true",
                #"{"subject": "animal", "profile": {"name": "Rex", "species": "dog"}}"#
            )
            let dog = try #require(made.text("record"))
            let registered = try await client.send(.put, "\(clinic.address)/patients/\(dog)", "{}")
            #expect(registered.status == 200, "\(registered.text)")
            let id = try await clinic.triageOfDog(#", "complaint": "rude owner""#, record: dog)
            _ = try await clinic.client.post("/v1/triage/\(id)/assess", #"{"pain": 3, "notes": "bites"}"#)
            let page = try await Browser(client: client, cookie: cookie).get("/triage/\(id)")
            #expect(page.status == 200)
            #expect(page.text.contains("<strong>3</strong> yellow"))
            #expect(page.text.contains("Pain: 3"))
            #expect(page.text.contains(Self.notice))
            for text in ["bites", "rude", "Complexity", "versions", "name=\"change\"", "Ada Roth", "waits", "Red now"] {
                #expect(!page.text.contains(text), "\(text)")
            }
            let owner = Browser(client: client, cookie: cookie)
            #expect(try await owner.get("/triage/\(id)/assess").status == 403)
            let booking = "/practices/\(clinic.practice)/book?record=\(dog)&assessment=\(id)"
            #expect(!page.text.contains("/book?"))
            #expect(try await owner.get(booking).status == 403)
            #expect(try await owner.get("/triage/\(id)/explain").status == 403)
            #expect(try await owner.get("/practices/\(clinic.practice)/board").status == 403)
            let change = try await owner.submit("/triage/\(id)/change", ["change": "redNow"], from: "/settings")
            #expect(change.status == 403)

            let stranger = Browser(client: client, cookie: strange)
            for address in ["/triage/\(id)", "/triage/\(id)/assess", "/triage/\(id)/explain"] {
                #expect(try await stranger.get(address).status == 403, "\(address)")
                let unknown = address.replacing(id, with: UUID().uuidString.lowercased())
                #expect(try await stranger.get(unknown).status == 404, "\(unknown)")
            }
            for page in ["board", "arrive", "rules"] {
                let unknown = try await stranger.get("/practices/\(UUID())/\(page)")
                #expect(unknown.status == 404, "\(page)")
                let refused = try await stranger.get("/practices/\(clinic.practice)/\(page)")
                // The rules of a practice are no secret, as its description and its hours.
                #expect(refused.status == (page == "rules" ? 200 : 403) && !refused.text.contains("class=\"tabs\""))
            }
        }
    }

    @Test("Names are escaped on each page, and are in no title")
    func names() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let id = try await clinic.triageOfDog(#", "complaint": "<i>limps""#, name: "<b>\\\"Rex\\\"</b>")
            let base = "/practices/\(clinic.practice)"
            _ = try await clinic.client.post("/v1/triage/\(id)/assess", #"{"pain": 3, "symptoms": ["<u>x"]}"#)
            for page in ["\(base)/board", "/triage/\(id)", "/triage/\(id)/assess"] {
                let answer = try await browser.get(page)
                #expect(answer.status == 200, "\(page): \(answer.status)")
                #expect(answer.text.contains("&lt;b&gt;"), "\(page): \(answer.status)")
                for text in ["<b>", "<i>", "<u>"] { #expect(!answer.text.contains(text), "\(page): \(text)") }
                let title = answer.text.firstMatch(of: /<title>(.*)<\/title>/).map { String($0.1) } ?? ""
                #expect(!title.contains("Rex"), "\(page)")
            }
            let found = try await browser.submit("\(base)/arrive", ["name": "rex"])
            #expect(found.text.contains("&lt;b&gt;"))
            #expect(!found.text.contains("<b>"))
        }
    }

    @Test("The board orders by urgency; its past has no buttons; each page reads each record once")
    func board() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let green = try await clinic.triageOfDog(name: "Gina")
            let normal =
                #"{"airway": "normal", "breathing": "normal", "circulation": "normal", "disability": "normal"}"#
            _ = try await clinic.client.post("/v1/triage/\(green)/assess", normal)
            _ = try await clinic.triageOfDog(#", "redNow": true"#, name: "Ruby")
            let between = try fixture.journal.log.head()
            _ = try await clinic.triageOfDog(name: "Yuki")
            let address = "/practices/\(clinic.practice)/board"
            let board = try await browser.get(address).text
            let places = ["Ruby", "Yuki", "Gina"].compactMap { board.firstRange(of: "<bdi>\($0)")?.lowerBound }
            #expect(places.count == 3)
            #expect(places == places.sorted())
            #expect(
                board.contains("value=\"take\"") && board.contains("to be seen by")
                    && board.contains("to be assessed by")
            )
            let then = try await browser.get("\(address)?asOf=\(between)").text
            #expect(then.contains("Ruby"))
            #expect(!then.contains("Yuki"))
            #expect(then.contains("As known at position"))
            #expect(!then.contains("value=\"take\""))
            #expect(!then.contains("/assess\""))
            #expect(!then.contains("/arrive\""))

            for page in [address, "/triage/\(green)", "/triage/\(green)/assess", "/triage/\(green)/explain"] {
                let head = try fixture.journal.log.head()
                #expect(try await browser.get(page).status == 200)
                let reads = try (head..<fixture.journal.log.head())
                    .map { try fixture.journal.log.event(at: $0 + 1).header }
                #expect(reads.count == (page == address ? 3 : 1), "\(page): \(reads.count)")
            }
        }
    }

    @Test("A veterinarian adopts a rule set of the program, or the text of another one, with a name")
    func rules() async throws {
        try await Self.clinic { clinic, browser, fixture in
            let address = "/practices/\(clinic.practice)/rules"
            let none = try await browser.get(address)
            #expect(none.text.contains("No rules are in force yet"))
            #expect(none.text.contains("sign labouredBreathing 2"))
            let dog = try await clinic.client.post("\(clinic.address)/triage", #"{"record": "\#(clinic.dog)"}"#)
            let id = try #require(dog.text("entry"))
            #expect(try await browser.get("/triage/\(id)/assess").location == "/triage/\(id)")
            #expect(try await browser.get("/triage/\(id)").text.contains("No rules are in force yet"))

            let builtIn = ["rules": "hj-triage/1", "veterinarian": " "]
            func send(_ fields: [String: String]) async throws -> Answer {
                var fields = fields
                let page = try await browser.get(address).formFields
                fields["formToken"] = page["formToken"]
                fields["key"] = page["key"]
                return try await browser.post(address, fields)
            }
            let unsigned = try await send(builtIn)
            #expect(unsigned.status == 400)
            #expect(unsigned.text.contains("id=\"field-set-0-veterinarian-problem\""))
            let text = TriageRules.version1.text.replacing("hj-triage/1", with: "clinic/1")
            let wrong = try await send(["text": text + "colour <red>\n", "veterinarian": "Dr. <Roth>"])
            let line = text.split(separator: "\n").count + 1
            #expect(wrong.status == 400 && wrong.text.contains("Line \(line): colour is no rule."))
            #expect(
                wrong.formFields["text"]?.contains("colour <red>") == true && wrong.text.contains("Dr. &lt;Roth&gt;")
            )
            #expect(!wrong.text.contains("<Roth>"))
            #expect(
                try await send(["rules": "hj-triage/1", "veterinarian": "Dr. A"]).location
                    == "\(address)?done=rulesAdopted"
            )
            #expect(try await send(["text": text, "veterinarian": "Dr. B"]).status == 303)
            let adopted = try await browser.get(address).text
            #expect(
                adopted.contains("Adopted by Dr. B") && adopted.contains("Text of clinic/1")
                    && adopted.contains("Earlier")
            )
            #expect(adopted.contains(Self.notice))
            let nurse = try await clinic.browser(of: "nurse", fixture)
            let refused = try await nurse.submit(
                address,
                ["rules": "hj-triage/1", "veterinarian": "Dr. N"],
                from: "/settings"
            )
            #expect(refused.status == 403)
        }
    }

    private static let notice = "Triage supports a professional and replaces none."

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
}

extension ServiceClinic {
    /// Returns a browser of a new member with one role.
    fileprivate func browser(of role: String, _ fixture: ServiceFixture) async throws -> Browser {
        let account = try await fixture.account("Kim \(role)")
        let set = try await client.send(.put, "\(address)/members/\(account.id.text)", #"{"roles": ["\#(role)"]}"#)
        try #require(set.status == 200, "\(set.text)")
        return Browser(client: client, cookie: try await fixture.session(of: account.id))
    }

    /// Adopts the rules, puts a dog on the board, and returns the id of the triage; without a record, a new dog.
    fileprivate func triageOfDog(
        _ more: String = "",
        name: String = "Rex",
        record: String? = nil
    ) async throws -> String {
        var dog = record
        if dog == nil {
            let made = try await client.post(
                "/v1/records?similar=true",
                #"{"subject": "animal", "profile": {"name": "\#(name)", "species": "dog"}}"#
            )
            dog = made.text("record")
            _ = try await client.send(.put, "\(address)/patients/\(dog ?? "")", "{}")
        }
        let adoption = #"{"rules": "hj-triage/1", "veterinarian": "Dr. Ada Roth"}"#
        _ = try await client.post("\(address)/triage/rules", adoption)
        let begun = try await client.post("\(address)/triage", #"{"record": "\#(dog ?? "")"\#(more)}"#)
        return try #require(begun.text("entry"), "\(begun.text)")
    }
}
