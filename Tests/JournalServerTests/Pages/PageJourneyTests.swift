import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import JournalPages
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Journeys through the pages")
struct PageJourneyTests {
    @Test("An entry can be added, corrected, retracted and restored, and its page shows all of it")
    func entries() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, weight) = try await browser.start()
            let added = try await browser.get(weight + "?done=added")
            #expect(added.text.contains("72.5\u{A0}kg") && added.text.contains("Saved."))
            let corrected = try await browser.submit(
                weight + "/correct",
                ["value": "71.5", "reason": "misread <the> scale"]
            )
            #expect(corrected.location == weight + "?done=changed")
            let page = try await browser.get(weight)
            #expect(page.text.contains("<del>72.5</del>"))
            #expect(page.text.contains("<ins>71.5</ins>"))
            #expect(page.text.contains("misread &lt;the&gt; scale"))
            #expect(try await browser.submit(weight + "/retract").location == weight + "?done=retractedNow")
            #expect(!(try await browser.get(record)).text.contains("71.5"))
            #expect(try await browser.get(record + "/entries/weight?retracted=true").text.contains("71.5"))
            #expect(try await browser.submit(weight + "/restore").location == weight + "?done=restoredNow")
            #expect(try await browser.get(record).text.contains("71.5"))
        }
    }

    @Test("The record's page lists all urgent information, however much there is")
    func urgent() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            for number in 1...12 {
                for (kind, field) in [("allergy", "name"), ("drug", "name"), ("doctor", "name")] {
                    var content = EntryContent(kind: try #require(Kind.named(kind)))
                    try content.set(field, text: "\(kind) no. \(number);")
                    _ = try await fixture.journal.entries.addEntry(content, to: id, fixture.owner)
                }
            }
            let page = try await browser.get(record).text
            for number in 1...12 {
                #expect(page.contains("allergy no. \(number);"))
                #expect(page.contains("drug no. \(number);"))
            }
            #expect(page.contains("doctor no. 12;"))
            #expect(!page.contains("doctor no. 1;"))
        }
    }

    @Test("Errors of an export are shown on a page")
    func failedExport() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let answer = try await browser.get(record + "/export/file?as=papyrus")
            #expect(answer.status == 400)
            #expect(answer.text.contains("<h1>"))
            let formats = ["html", "pdf", "spreadsheet", "csv", "vcard", "fhir-ips", "native", "fhir"]
                .joined(separator: ", ")
            #expect(answer.text.contains("must be one of \(formats), "))
            let csv = try await browser.get(record + "/export/file?as=csv")
            #expect(csv.status == 200)
            #expect(csv.headers[.contentDisposition]?.hasPrefix("attachment") ?? false)
        }
    }

    @Test("The history of a record shows each version with its changes, and links retracted entries")
    func history() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, weight) = try await browser.start()
            #expect(try await browser.submit(weight + "/correct", ["value": "71.5"]).status == 303)
            #expect(try await browser.submit(weight + "/retract", ["reason": "not hers"]).status == 303)
            #expect(try await browser.submit(weight + "/restore").status == 303)
            #expect(try await browser.submit(record + "/edit", ["givenName": "Ada"]).status == 303)
            let page = try await browser.get(record + "/history").text
            #expect(page.contains("<del>72.5</del>") || page.contains("<del dir=\"auto\">72.5</del>"))
            #expect(page.contains(">Ida</del>"))
            #expect(page.contains(">Ada</ins>"))
            for told in ["Corrected", "Retracted", "Restored"] {
                #expect(page.contains("<a href=\"\(weight)\">\(told): Weight</a>"), "\(told)")
            }
        }
    }

    @Test("The timeline shows the state at a past position, and marks later changes in place")
    func timeline() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, weight) = try await browser.start()
            let then = try fixture.journal.log.head()
            #expect(try await browser.submit(weight + "/correct", ["value": "71.5"]).status == 303)
            #expect(try await browser.submit("\(record)/entries/allergy/new", ["name": "Penicillin"]).status == 303)
            let past = try await browser.get("\(record)/timeline?asOf=\(then)")
            #expect(past.text.contains(">72.5\u{A0}kg</a>") && past.text.contains("corrected since"))
            #expect(past.text.contains("<ins dir=\"auto\">71.5</ins>"))
            #expect(past.text.contains("1 added since"))
            #expect(past.text.contains("2 changes since then"))
            let now = try await browser.get("\(record)/timeline")
            #expect(now.text.contains(">71.5\u{A0}kg</a>") && !now.text.contains("corrected since"))
            // The links lead one step back, and forward again.
            let back = try #require(now.text.firstMatch(of: /href="(\?asOf=\d+)" rel="prev"/))
            let before = try await browser.get("\(record)/timeline\(back.1)")
            #expect(before.text.contains(">71.5\u{A0}kg</a>") && before.text.contains("1 change since then"))
            #expect(before.text.contains("rel=\"next\""))
            let day = try await browser.get("\(record)/timeline?day=1")
            #expect(day.location == "\(record)/timeline?asOf=1970-01-02")
            #expect(
                try await browser.get("\(record)/timeline?asOf=&happenedBy=2024-05-02").text.contains("happened by")
            )
        }
    }

    @Test("An invitation's code gives one account access to what it covers, until that is revoked")
    func invitation() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna").id
        let cookie = try await fixture.session(of: anna)
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            _ = try await browser.submit("\(record)/entries/doctor/new", ["name": "Dr. Berg"])
            let made = try await browser.submit("\(record)/caregivers/invite", ["sections": "doctorlist"])
            #expect(made.status == 200)
            #expect(made.text.contains("<svg"))
            let code = String(try #require(made.text.firstMatch(of: /Invitation code">([^<]+)</)).1)
            let caregiver = Browser(client: browser.client, cookie: cookie)
            #expect(try await caregiver.submit("/invitation", ["code": "wrong"]).status == 400)
            #expect(
                try await caregiver.submit("/invitation", ["code": " \(code) "]).location == "\(record)?done=accepted"
            )
            let seen = try await caregiver.get(record)
            #expect(seen.text.contains("Dr. Berg"))
            #expect(!seen.text.contains("72.5"))
            #expect(seen.text.contains("doctors."))
            #expect(try await caregiver.submit("/invitation", ["code": code]).status == 400)
            #expect(try await browser.get("\(record)/caregivers").text.contains("anna"))
            let revoked = try await browser.submit("\(record)/caregivers/\(anna.text)/revoke")
            #expect(revoked.location == "\(record)/caregivers?done=revokedNow")
            #expect(try await caregiver.get(record).status == 403)
            #expect(try await browser.get("\(record)/access").text.contains("Refused: Read"))
        }
    }

    @Test("An entry's page leads only its owner to the accesses that showed it, page by page")
    func entryAccess() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna").id
        let cookie = try await fixture.session(of: anna)
        let (journal, owner) = (fixture.journal, fixture.owner)
        try await fixture.browse { browser in
            let (record, weight) = try await browser.start()
            let made = try await browser.submit("\(record)/caregivers/invite", ["sections": "myhealth"])
            let code = String(try #require(made.text.firstMatch(of: /Invitation code">([^<]+)</)).1)
            let caregiver = Browser(client: browser.client, cookie: cookie)
            _ = try await caregiver.submit("/invitation", ["code": code])
            #expect(try await !caregiver.get(weight).text.contains("access?entry="))
            let id = String(try #require(weight.split(separator: "/").last))
            let link = "\(record)/access?entry=\(id)"
            #expect(try await browser.get(weight).text.contains("href=\"\(link)\""))
            for _ in 0...AccessPage.looks { _ = try await journal.entries.entry(named: id, owner) }
            let shown = try await browser.get(link)
            #expect(shown.text.contains("Only reads that showed this one entry."))
            let older = try #require(
                shown.text.firstMatch(of: /href="(\?before=\d+&(?:amp;)?entry=[0-9a-f-]+)" rel="next"/)
            )
            let second = try await browser.get("\(record)/access\(String(older.1).replacing("&amp;", with: "&"))")
            #expect(second.status == 200)
            #expect(second.text.contains("Only reads that showed this one entry."))
        }
    }

    @Test("A caregiver who uses a second code sees which grant it replaces, and decides")
    func secondInvitation() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna").id
        let cookie = try await fixture.session(of: anna)
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            func code(for section: String) async throws -> String {
                let made = try await browser.submit("\(record)/caregivers/invite", ["sections": section])
                return String(try #require(made.text.firstMatch(of: /Invitation code">([^<]+)</)).1)
            }
            let caregiver = Browser(client: browser.client, cookie: cookie)
            _ = try await caregiver.submit("/invitation", ["code": code(for: "myhealth")])
            let second = try await code(for: "doctorlist")
            let asked = try await caregiver.submit("/invitation", ["code": second])
            #expect(asked.status == 409)
            #expect(asked.text.contains("Before</dt><dd>Sees health;"))
            #expect(asked.text.contains("After</dt><dd>Sees doctors;"))
            #expect(try await caregiver.get("\(record)/entries/weight").status == 200)
            let version = try #require(asked.text.firstMatch(of: /name="version" value="(\d+)"/)).1
            let stale = try await caregiver.submit("/invitation", ["code": second, "version": "1"])
            #expect(stale.status == 409)
            let accepted = try await caregiver.submit("/invitation", ["code": second, "version": String(version)])
            #expect(accepted.location == "\(record)?done=accepted")
            #expect(try await caregiver.get("\(record)/entries/weight").status == 403)
        }
    }

    @Test("A caregiver opens the emergency view with a reason, and the owner is notified and acknowledges it")
    func emergency() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna").id
        let cookie = try await fixture.session(of: anna)
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            _ = try await browser.submit("\(record)/entries/allergy/new", ["name": "Penicillin"])
            let id = try #require(UUID(uuidString: String(record.split(separator: "/").last ?? "")))
            _ = try await fixture.journal.sharing.grant(
                GrantTerms(sections: [.doctorlist]),
                to: anna,
                on: id,
                fixture.owner
            )
            let caregiver = Browser(client: browser.client, cookie: cookie)
            let shut = try await caregiver.get("\(record)/entries/allergy")
            #expect(shut.status == 403)
            #expect(shut.text.contains("href=\"\(record)/emergency\""))
            #expect(try await caregiver.submit("\(record)/emergency").status == 400)
            let opened = try await caregiver.submit("\(record)/emergency", ["reason": "found unconscious"])
            #expect(opened.location == record)
            let seen = try await caregiver.get(record)
            #expect(seen.text.contains("Penicillin"))
            #expect(!seen.text.contains("72.5"))
            let entry = try #require(seen.text.firstMatch(of: /href="([^"]*entries\/allergy\/[0-9a-f-]{36})"/))
            #expect(try await caregiver.get(String(entry.1)).status == 200)
            // The emergency view does not reveal that the record itself was changed, or when.
            #expect(try await browser.submit("\(record)/edit", ["givenName": "Ida Lou"]).status == 303)
            let timeline = try await caregiver.get("\(record)/timeline")
            #expect(timeline.status == 200)
            #expect(!timeline.text.contains("rel=\"prev\""))
            let told = try await browser.get("/records")
            #expect(told.text.contains("The emergency view of Ida Lou Lu was opened"))
            #expect(told.text.contains("found unconscious"))
            let notice = try #require(told.text.firstMatch(of: /action="(\/notices\/\d+)"/))
            let token = told.formFields["formToken"] ?? ""
            #expect(try await browser.post(String(notice.1), ["formToken": token]).location == "/records")
            #expect(!(try await browser.get("/records")).text.contains("found unconscious"))
        }
    }

    @Test("After signing in, the browser is sent to the requested page, and to no other site")
    func signIn() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna").id
        _ = try await fixture.journal.accounts.setPassword(of: anna, to: "correct horse", fixture.owner)
        try await fixture.serve { client in
            let nobody = Browser(client: client, cookie: nil)
            let sent = try await nobody.get("/records/new?subject=animal")
            #expect(sent.status == 303)
            let address = try #require(sent.location)
            let form = try await nobody.get(address).formFields
            #expect(form["next"] == "/records/new?subject=animal")
            let wrong = try await nobody.post("/sign-in", ["name": "anna", "password": "wrong", "next": "/settings"])
            #expect(wrong.status == 401)
            #expect(wrong.headers[.wwwAuthenticate] == nil)
            #expect(wrong.headers[.setCookie] == nil)
            #expect(wrong.formFields["name"] == "anna")
            #expect(wrong.formFields["password"] == "")
            let right = try await nobody.post(
                "/sign-in",
                ["name": "anna", "password": "correct horse", "next": "/settings"]
            )
            #expect(right.status == 303)
            #expect(right.location == "/settings")
            #expect(right.headers[.setCookie]?.contains("HttpOnly; SameSite=Strict") ?? false)
            for next in [
                "//elsewhere.example", "https://elsewhere.example", "/\\elsewhere.example", "/a\r\nb", "javascript:1",
            ] {
                let answer = try await nobody.post(
                    "/sign-in",
                    ["name": "anna", "password": "correct horse", "next": next]
                )
                #expect(answer.location == "/", "\(next)")
            }
            let foreign = try await nobody.post(
                "/sign-in",
                ["name": "anna", "password": "correct horse"],
                [("Sec-Fetch-Site", "cross-site")]
            )
            #expect(foreign.status == 403)
            let secret = try #require(right.headers[.setCookie]).prefix { $0 != ";" }.dropFirst("hj_session=".count)
            let signedIn = Browser(client: client, cookie: String(secret))
            #expect(try await signedIn.get("/settings").status == 200)
            let token = try await signedIn.get("/settings").formFields["formToken"] ?? ""
            #expect(try await signedIn.post("/sign-out", ["formToken": token]).location == "/sign-in?done=signedOut")
            #expect(try await signedIn.get("/settings").status == 303)
        }
    }

    @Test("A document is previewed before it is imported, and imported once")
    func exchange() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let native = try await browser.get("/v1\(record)/export?as=native").text
            let token = try await browser.get("/import").formFields["formToken"] ?? ""
            func look(_ document: String) async throws -> Answer {
                let form = Form().field("formToken", token).field("epoch", "unix")
                    .file(Array(document.utf8), "ida.json", mediaType: "application/json")
                return try await browser.upload("/import", form)
            }
            let head = try fixture.journal.log.head()
            let known = try await look(native)
            #expect(known.status == 200, "\(known.text)")
            #expect(known.text.contains("already contains all of it"), "\(known.text)")
            let changed = try await look(native.replacing("72.5", with: "64"))
            #expect(changed.text.contains("Entries: 0 added, 1 corrected"))
            #expect(try await look("{\"x\": ").status == 400)
            #expect(try fixture.journal.log.head() == head, "nothing is taken by looking")
            let taken = try await browser.post("/import/take", changed.formFields)
            #expect(taken.location == "\(record)?done=imported")
            #expect(try await browser.get(record).text.contains("64\u{A0}kg"))
        }
    }

    @Test("A CSV file is previewed, asked about if it can be read in two ways, and imported once")
    func table() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let token = try await browser.get("\(record)/imports/csv").formFields["formToken"] ?? ""
            func look(_ table: String, dates: String = "") async throws -> Answer {
                let form = Form().field("formToken", token).field("decimal", "").field("datePattern", dates)
                    .file(Array(table.utf8), "w.csv", mediaType: "text/csv")
                return try await browser.upload("\(record)/imports/csv", form)
            }
            let table = "Date,\"Weight (kg)\",\"Fat mass (kg)\"\n03/04/2026,64.25,\n"
            let asked = try await look(table)
            #expect(asked.status == 400, "\(asked.text)")
            #expect(asked.text.contains("can be read in two ways"), "\(asked.text)")
            #expect(try await look(table, dates: "week").status == 400)
            #expect(try await look("a\n1\n").status == 400)
            let shown = try await look(table, dates: "dd/MM/yyyy")
            #expect(shown.status == 200, "\(shown.text)")
            #expect(shown.text.contains("Entries: 1 added"), "\(shown.text)")
            #expect(try await !browser.get(record).text.contains("64.25"), "nothing is taken by looking")
            let taken = try await browser.post("\(record)/imports/csv/take", shown.formFields)
            #expect(taken.location == "\(record)?done=imported")
            #expect(try await browser.get(record).text.contains("64.25\u{A0}kg"))
            #expect(try await look(table, dates: "dd/MM/yyyy").text.contains("already contains all of it"))
        }
    }

    @Test("Of an unknown table, a person says what its columns contain, and the next one is read without questions")
    func columns() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let token = try await browser.get("\(record)/imports/csv").formFields["formToken"] ?? ""
            func look(_ table: String) async throws -> Answer {
                let form = Form().field("formToken", token).field("decimal", "").field("datePattern", "")
                    .file(Array(table.utf8), "w.csv", mediaType: "text/csv")
                return try await browser.upload("\(record)/imports/csv", form)
            }
            let asked = try await look("Day,Waage,<b>\n2026-02-03,64.25,1\n")
            #expect(
                asked.status == 200 && asked.text.contains("What the columns contain") && !asked.text.contains("<b>")
            )
            var answers = asked.formFields
            answers["column0"] = "date"
            answers["column1"] = "weight"
            let refused = try await browser.post("\(record)/imports/csv/columns", answers)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(refused.text.contains("Choose the unit of the weights"), "\(refused.text)")
            #expect(refused.formFields["column1"] == "weight", "what was chosen stays")
            answers["weightUnit"] = "kg"
            let shown = try await browser.post("\(record)/imports/csv/columns", answers)
            #expect(shown.status == 200, "\(shown.text)")
            #expect(shown.text.contains("Entries: 1 added"), "\(shown.text)")
            let taken = try await browser.post("\(record)/imports/csv/take", shown.formFields)
            #expect(taken.location == "\(record)?done=imported")
            #expect(try await browser.get(record).text.contains("64.25\u{A0}kg"))
            let next = try await look("Day,Waage,<b>\n2026-02-03,64.25,1\n2026-02-04,64.5,2\n")
            #expect(next.text.contains("Entries: 1 added, 0 corrected, 1 unchanged"), "\(next.text)")
            let again = next.formFields.merging(["again": "1"]) { $1 }
            let chosen = try await browser.post("\(record)/imports/csv/columns", again)
            #expect(chosen.status == 200)
            #expect(chosen.text.contains("What the columns contain"))
            #expect(try await look("Day,Waage,<b>,new\n2026-02-05,1,1,1\n").text.contains("What the columns contain"))
            let wrong = try await look("Day,Waage,<b>\n2026-02-05,64 lb,1\n")
            #expect(wrong.status == 400, "\(wrong.text)")
            #expect(wrong.text.contains("Line 2, column Waage: "), "\(wrong.text)")
        }
    }

    @Test("Cards of an address book become doctors, or contacts for emergencies, after a preview")
    func cards() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let token = try await browser.get("\(record)/imports/csv").formFields["formToken"] ?? ""
            for (kind, name) in [("doctor", "Dr. Bruno Keller"), ("emergencyContact", "Jonas Winter")] {
                let file = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(name)\r\nTEL:+41 31 555 01 10\r\nEND:VCARD\r\n"
                let form = Form().field("formToken", token).field("cards", kind)
                    .file(Array(file.utf8), "c.vcf", mediaType: "text/vcard")
                let shown = try await browser.upload("\(record)/imports/csv", form)
                #expect(shown.status == 200, "\(shown.text)")
                #expect(shown.text.contains("Entries: 1 added"), "\(shown.text)")
                let taken = try await browser.post("\(record)/imports/csv/take", shown.formFields)
                #expect(taken.location == "\(record)?done=imported")
                #expect(try await browser.get("\(record)/entries/\(kind)").text.contains(name))
            }
            let form = Form().field("formToken", token).field("cards", "weight")
                .file(Array("BEGIN:VCARD\nTEL:1\nEND:VCARD\n".utf8), "c.vcf", mediaType: "text/vcard")
            let refused = try await browser.upload("\(record)/imports/csv", form)
            #expect(refused.status == 400)
            #expect(refused.text.contains("a card needs a name"))
        }
    }

    @Test("The formats of dates and weights are stored in the browser")
    func settings() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let kept = try await browser.submit(
                "/settings",
                ["locale": "de-CH", "zone": "Europe/Zurich", "weightUnit": "lb", "onlyHere": "true"]
            )
            let cookie = try #require(kept.headers[.setCookie])
            #expect(cookie.hasPrefix("hj_reader="))
            let own = try #require(browser.cookie)
            let reading = [("Cookie", "hj_session=\(own); \(cookie.prefix { $0 != ";" })")]
            let page = try await Browser(client: browser.client, cookie: nil).get(record, reading)
            #expect(page.text.contains("159.835\u{A0}lb") && page.text.contains("3. Mai 2024"))
            let odd = [("Cookie", "hj_session=\(own); hj_reader=locale=../../x&zone=Nowhere&unit=stone")]
            #expect(try await Browser(client: browser.client, cookie: nil).get(record, odd).status == 200)
        }
    }

    @Test("A file is attached, and returned as a download")
    func files() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/entries/document/new"
            var form = Form()
            for (name, value) in try await browser.get(address).formFields { form = form.field(name, value) }
            form = form.file(Array("<script>alert(1)</script>".utf8), "letter.html", mediaType: "text/html")
            let added = try await browser.upload(address, form)
            #expect(added.status == 303, "\(added.text)")
            let page = try await browser.get(try #require(added.location))
            let file = try #require(page.text.firstMatch(of: /href="(\/v1[^"]*content)"/))
            let saved = try await browser.get(String(file.1))
            #expect(saved.text == "<script>alert(1)</script>")
            #expect(saved.headers[.contentType] == "application/octet-stream")
            #expect(saved.headers[.contentDisposition]?.hasPrefix("attachment") ?? false)
            #expect(!page.text.contains("<img class=\"preview\""))
        }
    }

    @Test("An image is shown on the page of its document, and its reading is recorded")
    func image() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = "\(record)/entries/document/new"
            var form = Form()
            for (name, value) in try await browser.get(address).formFields { form = form.field(name, value) }
            form = form.file([0x89, 0x50, 0x4E, 0x47], "rash.png", mediaType: "image/png")
            let added = try await browser.upload(address, form)
            let page = try await browser.get(try #require(added.location))
            let image = try #require(page.text.firstMatch(of: /<img class="preview" src="([^"]*)" alt="rash.png"/))
            let head = try fixture.journal.log.head()
            let shown = try await browser.get(String(image.1))
            #expect(shown.headers[.contentType] == "image/png")
            #expect(try fixture.journal.log.head() == head + 1)
        }
    }
}

@Suite("Pages that put right what was entered wrongly")
struct RepairPageTests {
    @Test("A change is undone from the page that it leads to, and the undoing is undone again")
    func undo() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (_, weight) = try await browser.start()
            let changed = try await browser.submit(weight + "/correct", ["value": "725"])
            let page = try await browser.get(try #require(changed.location))
            #expect(page.text.contains("725\u{A0}kg") && page.text.contains("Undo the last change"))
            let undone = try await browser.post(weight + "/undo", page.formFields)
            #expect(undone.status == 303)
            #expect(undone.location == weight + "?done=undone")
            let after = try await browser.get(weight + "?done=undone")
            #expect(after.text.contains("Undone."))
            #expect(after.text.contains("undoes position"))
            // The form of the page before no longer names the last change.
            var old = page.formFields
            old["key"] = UUID().text
            #expect(try await browser.post(weight + "/undo", old).status == 409)
            let redone = try await browser.post(weight + "/undo", after.formFields)
            #expect(redone.status == 303)
            #expect(try await browser.get(weight).text.contains("725\u{A0}kg"))
        }
    }

    @Test("An entry is erased for good from its page, and its address says so afterwards")
    func erase() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, weight) = try await browser.start()
            #expect(try await browser.get(weight).text.contains("\(weight)/erase"))
            let form = try await browser.get(weight + "/erase")
            #expect(form.text.contains("Erase this entry for good?"))
            #expect(form.text.contains("nobody can undo this"))
            let unexplained = try await browser.submit(weight + "/erase")
            #expect(unexplained.status == 400)
            #expect(unexplained.text.contains("equired"))
            #expect(unexplained.text.contains("do not repeat what the entry said"))
            let erased = try await browser.submit(weight + "/erase", ["reason": "it was her sister's"])
            #expect(erased.status == 303)
            #expect(erased.location == record + "/entries/weight?done=erasedNow")
            let list = try await browser.get(try #require(erased.location))
            #expect(list.text.contains("Nobody can read the entry any more."))
            #expect(!list.text.contains("72.5"))
            let gone = try await browser.get(weight)
            #expect(gone.status == 410)
            #expect(gone.text.contains("erased on"))
            let history = try await browser.get(record + "/history")
            #expect(history.text.contains("Entry erased"))
            #expect(history.text.contains("it was her sister"))
        }
    }

    @Test("An entry is moved to another record that the reader may add to, and no other is offered")
    func move() async throws {
        let fixture = try await ServiceFixture()
        let other = try await fixture.account("other")
        try await fixture.browse { browser in
            let (_, weight) = try await browser.start()
            let right = try await browser.start(name: "Bea").record
            let stranger = Browser(client: browser.client, cookie: try await fixture.session(of: other.id))
            _ = try await stranger.start(name: "Hidden")
            let form = try await browser.get(weight + "/move")
            #expect(form.text.contains(">Bea Lu<"))
            #expect(!form.text.contains("Hidden"))
            let none = try await browser.submit(weight + "/move")
            #expect(none.status == 400)
            #expect(none.text.contains("Choose the record"))
            let moved = try await browser.submit(weight + "/move", ["to": String(right.dropFirst("/records/".count))])
            let address = try #require(moved.location)
            #expect(moved.status == 303)
            #expect(address.hasPrefix(right + "/entries/weight/"))
            let page = try await browser.get(address)
            #expect(page.text.contains("Moved here.") && page.text.contains("72.5\u{A0}kg"))
            #expect(try await browser.get(weight).text.contains("was in a wrong record"))
        }
    }
}

@Suite("Pages that ask about a doubtful entry")
struct DoubtPageTests {
    @Test("The form asks once about a doubtful value, and again about another one")
    func doubt() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let address = record + "/entries/weight/new"
            let asked = try await browser.submit(address, ["value": "725", "unit": "kg", "date": "2024-05-04"])
            #expect(asked.status == 400 && asked.text.contains("is far from the last one"))
            #expect(asked.text.contains("Yes, save it"))
            var changed = asked.formFields
            changed["value"] = "7250"
            #expect(try await browser.post(address, changed).status == 400)
            let saved = try await browser.post(address, asked.formFields)
            #expect(saved.status == 303)
            // The same form sent twice, as by a double click, adds one entry and asks nothing.
            #expect(try await browser.post(address, asked.formFields).location == saved.location)
            var once = try await browser.get(address).formFields
            for (name, value) in ["value": "726", "unit": "kg", "date": "2024-05-05"] { once[name] = value }
            let first = try await browser.post(address, once)
            #expect(first.status == 303)
            #expect(try await browser.post(address, once).location == first.location)
        }
    }
}
