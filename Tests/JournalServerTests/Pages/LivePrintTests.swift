import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Platform
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

/// The tests run one after the other, because no more than two documents are printed at the same time.
@Suite("Printed records", .serialized)
struct LivePrintTests {
    /// Adds a record with a name that browsers must not parse as a tag, and entries that are not printed.
    private func record(_ fixture: ServiceFixture) async throws -> UUID {
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida <b>Lu</b>")
        try profile.set("familyName", text: "Nguyễn 東京 مريم")
        let record = try #require(try await fixture.journal.records.createRecord(profile, fixture.owner).record)
        func add(_ kind: Kind, _ fields: [String: String]) async throws -> UUID {
            var content = EntryContent(kind: kind)
            for (name, text) in fields { try content.set(name, text: text) }
            return try #require(try await fixture.journal.entries.addEntry(content, to: record, fixture.owner).entry)
        }
        let weight = try await add(Weight.kind, ["value": "72.5", "unit": "kg", "date": "2024-05-03"])
        _ = try await fixture.journal.entries.correctEntry(weight, fixture.owner) { content throws(ModelError) in
            try content.set("value", text: "71.5")
        }
        let gone = try await add(Allergy.kind, ["name": "Nuts"])
        _ = try await fixture.journal.entries.retractEntry(gone, fixture.owner)
        _ = try await add(Doctor.kind, ["name": "Dr. Berg"])
        return record
    }

    @Test("The page states whose it is and as of when, contains all current entries, and names what it omits")
    func page() async throws {
        let fixture = try await ServiceFixture()
        let record = try await record(fixture)
        try await fixture.serve { client in
            let answer = try await client.get("/v1/records/\(record.text)/export?as=html")
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.headers[.contentDisposition]?.hasSuffix("\(record.text).html\"") ?? false)
            for told in [
                "Ida &lt;b&gt;Lu&lt;/b&gt; Nguyễn 東京 مريم", "71.5\u{A0}kg", "3 May 2024", "Dr. Berg", "As known on",
                "The earlier versions of one corrected entry.", "with the root hash",
            ] {
                #expect(answer.text.contains(told), "\(told)")
            }
            #expect(!answer.text.contains("72.5"))
            #expect(!answer.text.contains("Nuts"))
            #expect(!answer.text.contains("<script"))
            #expect(!answer.text.contains("://"))
            #expect(!answer.text.contains("\u{FFFD}"))
            let known = try await client.get("/v1/records/\(record.text)/export?as=html&happenedBy=2024-05-02")
            #expect(!known.text.contains("71.5"))
            #expect(known.text.contains("What happened after 2 May 2024"))
        }
    }

    @Test("Sections that a caregiver may not see are named as omitted, and not printed")
    func part() async throws {
        let fixture = try await ServiceFixture()
        let record = try await record(fixture)
        let anna = try await fixture.account("anna")
        _ = try await fixture.journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: anna.id,
            on: record,
            fixture.owner
        )
        try await fixture.serve { client in
            let answer = try await client.with(anna.token).get("/v1/records/\(record.text)/export?as=html")
            #expect(answer.text.contains("Dr. Berg"))
            #expect(!answer.text.contains("71.5"))
            #expect(
                answer.text.contains(
                    "Sections to which the person who printed this has no access: Blood values, Medication"
                )
            )
            #expect(answer.text.contains("Personal details."))
            #expect(!answer.text.contains("root hash"))
        }
    }

    @Test("One section is printed alone, from the page of its kind, and the print says so")
    func section() async throws {
        let fixture = try await ServiceFixture()
        let record = try await record(fixture)
        let anna = try await fixture.account("anna")
        _ = try await fixture.journal.sharing.grant(
            GrantTerms(sections: [.doctorlist]),
            to: anna.id,
            on: record,
            fixture.owner
        )
        let route = "/v1/records/\(record.text)/export"
        try await fixture.serve { client in
            let answer = try await client.get("\(route)?as=html&kinds=weight")
            #expect(answer.text.contains("71.5\u{A0}kg") && !answer.text.contains("Dr. Berg"))
            #expect(answer.text.contains("only these were chosen: Weight"))
            let both = try await client.get("\(route)?as=csv&kinds=doctor,weight").text
            #expect(both.contains("71.5"))
            #expect(both.contains("Dr. Berg"))
            #expect(try await client.get("\(route)?as=html").text.contains("only these were chosen") == false)
            #expect(try await client.get("\(route)?as=html&kinds=weights").status == 400)
            let caregiver = client.with(anna.token)
            #expect(try await caregiver.get("\(route)?as=html&kinds=weight").status == 403)
            let doctors = try await caregiver.get("\(route)?as=html&kinds=doctor").text
            #expect(doctors.contains("Dr. Berg"))
            #expect(doctors.contains("only these were chosen: Doctors"))
        }
        try await fixture.browse { browser in
            let address = "/records/\(record.text)/export?kinds=weight"
            #expect(
                try await browser.get("/records/\(record.text)/entries/weight").text.contains("href=\"\(address)\"")
            )
            let page = try await browser.get(address).text
            #expect(page.contains("Export: Weight"))
            #expect(page.contains("Export the whole record"))
            #expect(page.contains("/records/\(record.text)/export/pdf?as=pdf&amp;kinds=weight"))
        }
    }

    @Test("A dose is printed and listed with the name of its medication")
    func dose() async throws {
        let fixture = try await ServiceFixture()
        let record = try await record(fixture)
        func add(_ kind: Kind, _ values: [String: String]) async throws -> UUID {
            var content = EntryContent(kind: kind)
            for (name, text) in values { try content.set(name, text: text) }
            return try #require(try await fixture.journal.entries.addEntry(content, to: record, fixture.owner).entry)
        }
        let pills = try await add(Drug.kind, ["name": "Lisinopril"])
        _ = try await add(Drug.kind, ["name": "Metformin"])
        _ = try await add(
            Dose.kind,
            ["of": pills.text, "status": "taken", "amount": "1", "date": "2024-05-03T07:00:00Z"]
        )
        try await fixture.serve { client in
            let text = try await client.get("/v1/records/\(record.text)/export?as=html").text
            #expect(text.contains("Lisinopril · taken"))
            #expect(!text.contains("Metformin · taken"))
            let doses = try await client.get("/v1/records/\(record.text)/export?as=html&kinds=dose").text
            #expect(doses.contains("Lisinopril · taken"))
            #expect(!doses.contains("Metformin"))
        }
        try await fixture.browse { browser in
            let page = try await browser.get("/records/\(record.text)/entries/dose").text
            #expect(page.contains("Lisinopril · taken"))
        }
    }

    @Test("The PDF has page numbers and supports all scripts")
    func pdf() async throws {
        let fixture = try await ServiceFixture()
        let record = try await record(fixture)
        try await fixture.serve { client in
            var answer = try await client.get("/v1/records/\(record.text)/export?as=pdf")
            // Other tests print as well, and there are only two slots.
            for _ in 0..<600 where answer.status == 429 {
                try await Task.sleep(for: .milliseconds(100))
                answer = try await client.get("/v1/records/\(record.text)/export?as=pdf")
            }
            #expect(
                answer.status == 200 && answer.headers[.contentType] == "application/pdf",
                "\(answer.text.prefix(500))"
            )
            #expect(answer.bytes.starts(with: "%PDF".utf8))
            #expect(answer.bytes.count > 4_000)
            let read = try Outcome(of: "/usr/bin/pdftotext", ["-layout", "-", "-"], input: answer.bytes)
            // Arabic is in its logical order.
            for told in ["Nguyễn", "東京", "مريم", "71.5", "As known on", "Not included"] {
                #expect(read.text.contains(told), "\(told): \(read.text) \(read.message)")
            }
            #expect(read.text.contains(/1\s*\/\s*1/))
            // The root hash can be copied.
            #expect(read.text.contains(/[0-9a-f]{32}/), "\(read.text)")
            let facts = try Outcome(of: "/usr/bin/pdfinfo", ["-"], input: answer.bytes)
            #expect(
                facts.text.contains(/Tagged: +yes/) && facts.text.contains(/Title: +A health record/),
                "\(facts.text)"
            )
        }
    }

    @Test("What looks like code or markup is printed as it is, and long words and lines stay on the sheet")
    func texts() async throws {
        let fixture = try await ServiceFixture()
        var profile = RecordProfile(subject: .human)
        try profile.set("employer", text: String(repeating: "M", count: 200))
        let record = try #require(try await fixture.journal.records.createRecord(profile, fixture.owner).record)
        let texts = [
            "#panic(\"x\")", "#read(\"/etc/passwd\")", "*bold* _em_ $x^2$ `raw`", "\\ \"quoted\" \\u{41}",
            "= heading\n- list",
            String(repeating: "W", count: 300), "// comment /* all */ <label> @ref",
            // No font has this character of a private area, and PDF/UA demands one.
            "before \u{10FFFD} after",
        ]
        for text in texts {
            var content = EntryContent(kind: Illness.kind)
            try content.set("name", text: "Note")
            try content.set("comment", text: text)
            _ = try await fixture.journal.entries.addEntry(content, to: record, fixture.owner)
        }
        try await fixture.serve { client in
            var answer = try await client.get("/v1/records/\(record.text)/export?as=pdf")
            for _ in 0..<600 where answer.status == 429 {
                try await Task.sleep(for: .milliseconds(100))
                answer = try await client.get("/v1/records/\(record.text)/export?as=pdf")
            }
            let read = try Outcome(of: "/usr/bin/pdftotext", ["-raw", "-", "-"], input: answer.bytes)
            for text in texts.flatMap({ $0.split(separator: "\n") })
            where !text.hasPrefix("W") && !text.hasPrefix("before") {
                #expect(read.text.contains(text), "\(text): \(read.text)")
            }
            #expect(read.text.count { $0 == "W" } >= 300 && read.text.count { $0 == "M" } >= 200)
            #expect(read.text.contains("before"))
            #expect(read.text.contains("after"))
            let boxes = try Outcome(of: "/usr/bin/pdftotext", ["-bbox", "-", "-"], input: answer.bytes)
            for edge in boxes.text.matches(of: /xMax="([0-9.]+)"/) { #expect(try #require(Double(edge.1)) < 595 - 40) }
        }
    }

    @Test("A page reloads until the PDF is made, and returns the PDF only if the account still has access")
    func fromPage() async throws {
        let fixture = try await ServiceFixture()
        let record = try await record(fixture)
        let anna = try await fixture.account("anna").id
        let cookie = try await fixture.session(of: anna)
        let journal = fixture.journal
        _ = try await journal.sharing.grant(GrantTerms(), to: anna, on: record, fixture.owner)
        try await fixture.browse { browser in
            /// Follows the page as a browser does, and returns the address of the file.
            func made(by browser: Browser) async throws -> String {
                let start = "/records/\(record.text)/export/pdf?as=pdf"
                #expect(try await browser.get("/records/\(record.text)/export").text.contains("href=\"\(start)\""))
                var page = try await browser.get(start)
                for _ in 0..<600 {
                    #expect(page.status == 200, "\(page.text)")
                    let refresh = try #require(page.headers[.refresh])
                    let next = String(try #require(refresh.split(separator: "url=").last))
                    if next.hasSuffix("/file") {
                        #expect(page.text.contains("href=\"\(next)\""))
                        return next
                    }
                    #expect(page.text.contains("<progress"))
                    #expect(!page.text.contains("Berg"))
                    try await Task.sleep(for: .milliseconds(100))
                    page = try await browser.get(next)
                }
                Issue.record("the PDF was not made in time")
                return ""
            }
            let caregiver = Browser(client: browser.client, cookie: cookie)
            let own = try await made(by: browser)
            let file = try await browser.get(own)
            #expect(file.bytes.starts(with: "%PDF".utf8))
            #expect(file.headers[.contentType] == "application/pdf")
            #expect(file.headers[.contentDisposition]?.contains("\(record.text).pdf") == true)
            // A job is visible only to the account that started it.
            #expect(try await caregiver.get(own).status == 404)
            #expect(try await caregiver.get(own.replacing("/file", with: "")).status == 404)
            let theirs = try await made(by: caregiver)
            _ = try await journal.sharing.revoke(anna, on: record, fixture.owner)
            let refused = try await caregiver.get(theirs)
            #expect(refused.status == 403)
            #expect(!refused.bytes.starts(with: "%PDF".utf8))
            // After a new grant with other terms, the earlier document is not available.
            _ = try await journal.sharing.grant(
                GrantTerms(sections: [.doctorlist]),
                to: anna,
                on: record,
                fixture.owner
            )
            #expect(try await caregiver.get(theirs).status == 404)
        }
    }

    @Test("An account prints one PDF at a time, equal requests share a job, and finished PDFs are limited")
    func jobs() async throws {
        let jobs = PDFJobs()
        let (anna, ben) = (UUID(), UUID())
        func order(_ account: UUID, _ record: UUID, in language: String? = nil) -> PDFJobs.Order {
            var settings = ReaderSettings()
            settings.locale = language
            return PDFJobs.Order(
                account: account,
                record: record,
                options: ReadOptions(),
                settings: settings,
                right: .owner
            )
        }
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let record = UUID()
        let first = try jobs.begin(order(anna, record)) {
            for await _ in gate { break }
            return PDFJobs.Document(bytes: [1], headers: [:], head: 0)
        }
        let same = try jobs.begin(order(anna, record)) { throw JournalError(.failed, "not run") }
        #expect(same.id == first.id)
        let other = #expect(throws: JournalError.self) {
            try jobs.begin(order(anna, UUID())) { throw JournalError(.failed, "not run") }
        }
        #expect(other?.code == .busy)
        #expect(other?.retryAfter != nil)
        // Another language is another document.
        #expect(throws: JournalError.self) {
            try jobs.begin(order(anna, record, in: "fr")) { throw JournalError(.failed, "not run") }
        }
        #expect(try await jobs.wait(for: first.id, of: anna, atMost: .zero)?.isRunning == true)
        #expect(jobs.job(first.id, of: ben) == nil)
        opener.yield()
        #expect(try await jobs.wait(for: first.id, of: anna, atMost: .seconds(30))?.byteCount == 1)

        // A job waits while all slots are taken.
        let tries = Guarded(0)
        let second = try jobs.begin(order(anna, record)) {
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            if number < 3 { throw JournalError(.busy, "taken") }
            return PDFJobs.Document(bytes: [UInt8](repeating: 1, count: PDFJobs.maximumBytes), headers: [:], head: 0)
        }
        #expect(try await jobs.wait(for: second.id, of: anna, atMost: .seconds(30))?.isRunning == false)
        #expect(tries.withLock { $0 } == 3)
        #expect(jobs.job(first.id, of: anna) == nil)
        let third = try jobs.begin(order(ben, record)) { PDFJobs.Document(bytes: [1], headers: [:], head: 0) }
        #expect(try await jobs.wait(for: third.id, of: ben, atMost: .seconds(30))?.byteCount == 1)
        #expect(jobs.job(second.id, of: anna) == nil)

        let endless = try jobs.begin(order(ben, UUID())) {
            try await Task.sleep(for: .seconds(3_600))
            return PDFJobs.Document(bytes: [], headers: [:], head: 0)
        }
        await jobs.close()
        #expect(jobs.job(endless.id, of: ben) == nil)
        #expect(throws: JournalError.self) {
            try jobs.begin(order(anna, record)) { PDFJobs.Document(bytes: [], headers: [:], head: 0) }
        }
    }

    @Test("Without a PDF printer, the error names the missing package")
    func missing() async throws {
        let error = try #require(
            await #expect(throws: JournalError.self) { try await PDFPrinter.pdf(of: "text", by: "no-such-printer") }
        )
        let problem = Problem(error)
        #expect(problem.status == .notImplemented)
        #expect(problem.slug == "not-installed")
        #expect(problem.text.description == error.message)
        #expect(error.message.contains("needs Typst"))
    }

    @Test("The number of concurrent prints is limited, and each slot is always released")
    func places() throws {
        let limiter = ConcurrencyLimiter("documents", total: 2, perAccount: 1)
        let (anna, ben, carla) = (UUID(), UUID(), UUID())
        for _ in 0..<3 { try withExtendedLifetime(limiter.acquire(for: anna)) {} }
        try withExtendedLifetime(limiter.acquire(for: anna)) {
            let second = #expect(throws: JournalError.self) { try limiter.acquire(for: anna) }
            #expect(second?.code == .busy)
            #expect(second?.retryAfter != nil)
            try withExtendedLifetime(limiter.acquire(for: ben)) {
                let error = #expect(throws: JournalError.self) { try limiter.acquire(for: carla) }
                #expect(error?.code == .busy)
                #expect(error?.retryAfter != nil)
            }
            try withExtendedLifetime(limiter.acquire(for: carla)) {}
        }
        try withExtendedLifetime(limiter.acquire(for: anna)) {}
    }

    @Test("A slot that is ended early is given back once")
    func endedEarly() throws {
        let limiter = ConcurrencyLimiter("documents", total: 2, perAccount: 2)
        let anna = UUID()
        let slots = try [limiter.acquire(for: anna), limiter.acquire(for: anna)]
        slots[0].end()
        slots[0].end()
        try withExtendedLifetime(limiter.acquire(for: anna)) {
            let error = #expect(throws: JournalError.self) { try limiter.acquire(for: anna) }
            #expect(error?.code == .busy)
        }
        withExtendedLifetime(slots) {}
    }

    @Test("A printer that ends before it has read the page does not end the service", arguments: 0..<20)
    func brokenPrinter(_ round: Int) async throws {
        // One page is larger than the buffer of a pipe, and the other is smaller.
        let page = String(repeating: "text ", count: round.isMultiple(of: 2) ? 1_000_000 : 1)
        await #expect(throws: JournalError.self) { try await PDFPrinter.pdf(of: page, by: "false") }
    }
}
