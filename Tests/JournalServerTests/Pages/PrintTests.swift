import Foundation
import HTTPTypes
import HealthModel
import TestSupport
import Testing

@testable import HealthJournal
@testable import JournalServer

/// One after the other: no more than two are printed at once.
@Suite("A record on paper", .serialized)
struct PrintTests {
    /// A record with a name that browsers must not take for a tag, and what paper leaves out.
    private func record(_ ground: ServiceGround) async throws -> UUID {
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida <b>Lu</b>")
        try profile.set("familyName", text: "Nguyễn 東京 مريم")
        let record = try #require(try await ground.journal.createRecord(profile, ground.owner).record)
        func add(_ kind: Kind, _ fields: [String: String]) async throws -> UUID {
            var content = EntryContent(kind: kind)
            for (name, text) in fields { try content.set(name, text: text) }
            return try #require(try await ground.journal.addEntry(content, to: record, ground.owner).entry)
        }
        let weight = try await add(Weight.kind, ["value": "72.5", "unit": "kg", "date": "2024-05-03"])
        _ = try await ground.journal.correctEntry(weight, ground.owner) { content throws(ModelError) in
            try content.set("value", text: "71.5")
        }
        let gone = try await add(Allergy.kind, ["name": "Nuts"])
        _ = try await ground.journal.retractEntry(gone, ground.owner)
        _ = try await add(Doctor.kind, ["name": "Dr. Berg"])
        return record
    }

    @Test("The page says whose it is, as of when, all that counts, and what it leaves out")
    func page() async throws {
        let ground = try await ServiceGround()
        let record = try await record(ground)
        try await ground.serve { client in
            let answer = try await client.get("/v1/records/\(record.text)/export?as=html")
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.headers[.contentDisposition]?.hasSuffix("\(record.text).html\"") ?? false)
            for told in [
                "Ida &lt;b&gt;Lu&lt;/b&gt; Nguyễn 東京 مريم", "71.5\u{A0}kg", "3 May 2024", "Dr. Berg", "As known on",
                "What one corrected entry said before.", "under the root hash",
            ] {
                #expect(answer.text.contains(told), "\(told)")
            }
            #expect(!answer.text.contains("72.5") && !answer.text.contains("Nuts"))
            #expect(!answer.text.contains("<script") && !answer.text.contains("://"))
            #expect(!answer.text.contains("\u{FFFD}"))
            let known = try await client.get("/v1/records/\(record.text)/export?as=html&happenedBy=2024-05-02")
            #expect(!known.text.contains("71.5") && known.text.contains("What happened after 2 May 2024"))
        }
    }

    @Test("What was not opened to a caregiver is named as left out, and not printed")
    func part() async throws {
        let ground = try await ServiceGround()
        let record = try await record(ground)
        let anna = try await ground.account("anna")
        _ = try await ground.journal.grant(GrantTerms(sections: [.doctorlist]), to: anna.id, on: record, ground.owner)
        try await ground.serve { client in
            let answer = try await client.with(anna.token).get("/v1/records/\(record.text)/export?as=html")
            #expect(answer.text.contains("Dr. Berg") && !answer.text.contains("71.5"))
            #expect(answer.text.contains("What was not opened to who printed this: Blood values, Medication"))
            #expect(answer.text.contains("Personal details.") && !answer.text.contains("root hash"))
        }
    }

    @Test("It is printed with page numbers, in whatever script")
    func pdf() async throws {
        let ground = try await ServiceGround()
        let record = try await record(ground)
        try await ground.serve { client in
            let answer = try await client.get("/v1/records/\(record.text)/export?as=pdf")
            #expect(
                answer.status == 200 && answer.headers[.contentType] == "application/pdf",
                "\(answer.text.prefix(500))"
            )
            #expect(answer.bytes.starts(with: "%PDF".utf8) && answer.bytes.count > 4_000)
            let read = try Outcome(of: "/usr/bin/pdftotext", ["-layout", "-", "-"], input: answer.bytes)
            for told in ["Nguyễn", "東京", "71.5", "As known on", "Not on these pages"] {
                #expect(read.text.contains(told), "\(told): \(read.text) \(read.message)")
            }
            #expect(read.text.contains(/1\s*\/\s*1/))
        }
    }

    @Test("Where nothing can print, it is said what is missing")
    func missing() async throws {
        let error = try #require(
            await #expect(throws: JournalError.self) { try await PDFPrinter.pdf(of: "<p>", by: "no-such-printer") }
        )
        let problem = Problem(error)
        #expect(problem.status == .notImplemented && problem.slug == "not-installed")
        #expect(problem.detail == error.message && error.message.contains("apt-get install weasyprint"))
    }

    @Test("No more are printed at once than there are places, and each is given back, whatever came of it")
    func places() async throws {
        struct Torn: Error {}
        let press = PrintingPress()
        for _ in 0..<3 {
            await #expect(throws: Torn.self) { try await press.withPlace { throw Torn() } }
        }
        try await press.withPlace {
            try await press.withPlace {
                let error = await #expect(throws: JournalError.self) { try await press.withPlace {} }
                #expect(error?.code == .busy && error?.retryAfter != nil)
            }
            try await press.withPlace {}
        }
    }

    @Test("A printer that ends before it has read the page ends nothing else", arguments: 0..<20)
    func brokenPrinter(_ round: Int) async throws {
        // More than a pipe holds, and less.
        let page = String(repeating: "<p>", count: round.isMultiple(of: 2) ? 1_000_000 : 1)
        await #expect(throws: JournalError.self) { try await PDFPrinter.pdf(of: page, by: "false") }
    }
}
