import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import JournalEvents
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("The first page, and the summary of a record")
struct HomePageTests {
    @Test("A dose is logged and undone on the first page, which stays the page that is shown")
    func doses() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(
                plan: "Zolmidan",
                ["times.0.at": "00:00", "times.0.amount": "1", "times.1.at": "23:59", "times.1.amount": "1"],
                to: record
            )
            let home = try await browser.get("/records")
            let (dose, day) = (home.doses.first, home.formFields["day"])
            let taken = try await browser.post(
                "\(record)/today",
                [
                    "formToken": home.formFields["formToken"] ?? "", "dose": try #require(dose), "status": "taken",
                    "day": try #require(day), "from": "home",
                ]
            )
            #expect(taken.location == "/records?done=doseTaken", "\(taken.text)")
            let after = try await browser.get("/records")
            #expect(after.text.contains("1 of 2 doses recorded today"))
            let entry = try #require(after.text.firstMatch(of: /name="entry" value="([^"]+)"/)).1
            let undone = try await browser.post(
                "\(record)/today/undo",
                ["formToken": after.formFields["formToken"] ?? "", "entry": String(entry), "from": "home"]
            )
            #expect(undone.location == "/records?done=doseUndone")
            #expect(try await browser.get("/records").text.contains("0 of 2 doses recorded today"))
        }
    }

    @Test("A question about a dose that was tapped on the first page leads back to it")
    func doubt() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["times.0.at": "23:59", "times.0.amount": "1"], to: record)
            let home = try await browser.get("\(record)/today")
            let asked = try await browser.post(
                "\(record)/today",
                [
                    "formToken": home.formFields["formToken"] ?? "", "dose": try #require(home.doses.first),
                    "status": "taken", "day": home.formFields["day"] ?? "", "amount": "5", "from": "home",
                ]
            )
            #expect(asked.status == 409)
            #expect(asked.formFields["from"] == "home")
            #expect(asked.text.contains("href=\"/records?\""))
        }
    }

    @Test("The first page is one read of each record, and says what it showed")
    func reads() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let (other, _) = try await browser.start(name: "Otto")
            try await browser.add(plan: "Zolmidan", ["times.0.at": "08:00", "times.0.amount": "1"], to: record)
            let head = try fixture.journal.log.head()
            _ = try await browser.get("/records")
            let reads = try fixture.reads(after: head)
            #expect(reads.count == 2)
            let ids = try [record, other].map { try #require(UUID(uuidString: String($0.suffix(36)))) }
            let shown = try #require(reads[ids[0]])
            #expect(shown.action == .read)
            #expect(shown.shown.contains { $0.kind == Drug.kind.code })
            #expect(shown.shown.contains { $0.kind == Weight.kind.code })
            let second = try #require(reads[ids[1]])
            #expect(second.shown.map(\.kind) == [Weight.kind.code])
            #expect(second.entryCount == 1)
        }
    }

    @Test("A caregiver's first page shows only what the grant covers, and a closed record only its name")
    func limits() async throws {
        let fixture = try await ServiceFixture()
        let mara = try await fixture.account("mara").id
        let cookie = try await fixture.session(of: mara)
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            try await browser.add(plan: "Zolmidan", ["times.0.at": "08:00", "times.0.amount": "1"], to: record)
            let id = try #require(UUID(uuidString: String(record.suffix(36))))
            let terms = GrantTerms(sections: [.doctorlist])
            _ = try await fixture.journal.sharing.grant(terms, to: mara, on: id, fixture.owner)
            let caregiver = Browser(client: browser.client, cookie: cookie)
            let head = try fixture.journal.log.head()
            let seen = try await caregiver.get("/records").text
            #expect(seen.contains("href=\"\(record)\""))
            #expect(!seen.contains("\(record)/today") && !seen.contains("72.5") && !seen.contains("Zolmidan"))
            #expect(try fixture.reads(after: head).values.allSatisfy { $0.action == .list && $0.shown.isEmpty })
            #expect(try await caregiver.get("\(record)/today").status == 403)
            #expect(try await caregiver.get("\(record)/add").status == 403)

            #expect(try await browser.submit("\(record)/close", ["reason": "moved away"]).status == 303)
            let closed = try await browser.get("/records").text
            #expect(closed.contains("Closed records"))
            #expect(!closed.contains("72.5") && !closed.contains("Zolmidan"))
        }
    }

    @Test("The summary shows what is current: no ended medication or illness, and the newest vaccination of each name")
    func summary() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let id = try #require(UUID(uuidString: String(record.suffix(36))))
            func add(_ kind: Kind, _ date: String?, _ values: [String: String]) async throws {
                var content = EntryContent(kind: kind)
                for (name, value) in values { try content.set(name, text: value) }
                content.date = try date.map { try OccurredDate(parsing: $0) }
                _ = try await fixture.journal.entries.addEntry(content, to: id, fixture.owner)
            }
            try await add(Drug.kind, "2020-01-01", ["name": "Oldazol", "ended": "2021-02"])
            try await add(Drug.kind, "2020-01-01", ["name": "Nowazol", "dosage": "5 mg"])
            try await add(Illness.kind, "2020-01-01", ["name": "Measles", "ended": "2020-02-01"])
            try await add(Illness.kind, "2020-01-01", ["name": "Asthma"])
            try await add(Vaccination.kind, "2019-10-01", ["name": "Influenza", "information": "Old pharmacy"])
            try await add(Vaccination.kind, "2025-10-01", ["name": "influenza", "information": "New pharmacy"])
            try await add(Blood.kind, "2024-02-19", ["name": "HbA1c", "value": "6.8", "unit": "%"])
            try await add(Blood.kind, "2025-02-24", ["name": "HbA1c", "value": "6.4", "unit": "%"])
            try await add(
                EmergencyContact.kind,
                nil,
                ["name": "Theo", "phone": "+41 79 555 02 20", "email": "theo@example.org"]
            )
            let page = try await browser.get(record).text
            for text in ["Nowazol", "5 mg", "Asthma", "New pharmacy", "6.4\u{A0}%", "class=\"sparkline\""] {
                #expect(page.contains(text), "\(text)")
            }
            for text in ["Oldazol", "Measles", "Old pharmacy"] { #expect(!page.contains(text), "\(text)") }
            #expect(page.contains("1 earlier"))
            #expect(page.contains("href=\"tel:+41795550220\""))
            #expect(page.contains("href=\"mailto:theo@example.org\""))
            // When the record is shown as it was known before, nothing can be added.
            let past = try await browser.get("\(record)?asOf=\(try fixture.journal.log.head())").text
            #expect(past.contains("Nowazol") && !past.contains("\(record)/add"))
            let values = try await browser.get("\(record)/values").text
            #expect(values.contains("HbA1c") && values.contains("72.5\u{A0}kg"))
        }
    }

    @Test("A vaccination that is due is on the first page, today's page and the summary, and the access log names it")
    func dueVaccination() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let id = try #require(UUID(uuidString: String(record.suffix(36))))
            let due = fixture.journal.today.adding(days: 5)
            func vaccinate(_ name: String, _ next: Day) async throws -> UUID {
                var content = EntryContent(kind: Vaccination.kind)
                content.date = .day(fixture.journal.today.adding(years: -1))
                for (field, value) in [("name", name), ("nextDue", next.description), ("lot", "A714C01")] {
                    try content.set(field, text: value)
                }
                return try #require(try await fixture.journal.entries.addEntry(content, to: id, fixture.owner).entry)
            }
            let entry = try await vaccinate("Rabies", due)
            _ = try await vaccinate("Influenza", due.adding(days: 60))
            let head = try fixture.journal.log.head()
            for page in ["/records", "\(record)/today", record] {
                let text = try await browser.get(page).text
                #expect(text.contains("Vaccination due: Rabies"), "\(page)")
                #expect(text.contains("href=\"\(record)/entries/vaccination/\(entry.text)\""), "\(page)")
                #expect(!text.contains("due: Influenza"), "\(page)")
            }
            let shown = try fixture.reads(after: head).values.map(\.shown)
            #expect(shown.allSatisfy { $0.contains { $0.kind == Vaccination.kind.code } })
            // Its lot is on its own page.
            #expect(try await browser.get(record).text.contains("A714C01") == false)
            #expect(try await browser.get("\(record)/entries/vaccination/\(entry.text)").text.contains("A714C01"))
        }
    }

    @Test("A laboratory report adds all of its results or none, and offers them the next time")
    func laboratoryReport() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            let form = "\(record)/results/new"
            let values = try await browser.get("\(record)/values").text
            #expect(values.contains("href=\"\(form)\""))
            var typed = ["date": "2024-05-03", "laboratory": "Unilabor"]
            for index in 0..<30 {
                typed["results.\(index).name"] = "Analyte \(index)"
                typed["results.\(index).value"] = "\(index).5"
                typed["results.\(index).unit"] = "mmol/L"
                typed["results.\(index).high"] = "20"
            }
            typed["results.7.high"] = "high"
            let refused = try await browser.submit(form, typed)
            #expect(refused.status == 400)
            #expect(refused.text.contains("id=\"field-results-7-high-problem\""))
            #expect(refused.text.contains("value=\"29.5\""))
            #expect(try await browser.get("\(record)/values").text.contains("Analyte") == false)
            typed["results.7.high"] = "20"
            let added = try await browser.submit(form, typed)
            #expect(added.status == 303)
            #expect(added.location == "\(record)/values?done=resultsAdded")
            let page = try await browser.get("\(record)/values").text
            #expect(page.contains("29.5\u{A0}mmol/L ▲\u{A0}high") && page.contains("7.5\u{A0}mmol/L"))
            let again = try await browser.get(form).formFields
            #expect(
                (0..<30).allSatisfy { again["results.\($0).unit"] == "mmol/L" && again["results.\($0).value"] == "" }
            )
            #expect(again["laboratory"] == "Unilabor")
            // The same values of the same day are doubted, and added only when that is confirmed.
            let doubted = try await browser.submit(form, typed)
            #expect(doubted.status == 400)
            #expect(doubted.text.contains("name=\"sure\""))
            let empty = try await browser.submit(form, ["date": "2024-06-03"])
            #expect(empty.status == 400 && empty.text.contains("Enter at least one value."))
            let longer = try await browser.submit(form, ["step": "results"])
            #expect(longer.status == 200 && longer.text.contains("name=\"results.33.name\""))
        }
    }

    @Test("The page for adding begins with the kinds that the record has most of")
    func adding() async throws {
        let fixture = try await ServiceFixture()
        try await fixture.browse { browser in
            let (record, _) = try await browser.start()
            for name in ["Asthma", "Gout"] {
                _ = try await browser.submit("\(record)/entries/illness/new", ["name": name])
            }
            let page = try await browser.get("\(record)/add").text
            let offered = page.matches(of: /entries\/([A-Za-z]+)\/new/).map { String($0.1) }
            #expect(offered.prefix(2) == ["illness", "weight"])
            #expect(!offered.contains("interaction") && !offered.contains("foreign"))
        }
    }
}

extension ServiceFixture {
    /// Returns the reads of records that were recorded after a position, by record.
    fileprivate func reads(after position: UInt64) throws -> [UUID: Access] {
        var reads: [UUID: Access] = [:]
        for position in try position + 1...journal.log.head() {
            let recorded = try journal.log.recorded(journal.log.event(at: position))
            guard let data = recorded.event.data as? RecordRead else { continue }
            reads[recorded.subject] = data.access
        }
        return reads
    }
}
