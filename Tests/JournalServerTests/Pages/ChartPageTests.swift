import Foundation
import HealthJournal
import HealthModel
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Charts of blood values and measurements")
struct ChartPageTests {
    private func add(_ kind: String, _ values: [String: String], to record: UUID, _ fixture: ServiceFixture)
        async throws
        -> UUID
    {
        var content = EntryContent(kind: try #require(Kind.named(kind)))
        for (name, text) in values.sorted(by: { $0.key < $1.key }) { try content.set(name, text: text) }
        return try #require(try await fixture.journal.entries.addEntry(content, to: record, fixture.owner).entry)
    }

    @Test("Values of a name are drawn as weights are, and the address never contains the name")
    func blood() async throws {
        let fixture = try await ServiceFixture()
        let profile = RecordProfile(subject: .human)
        let record = try #require(try await fixture.journal.records.createRecord(profile, fixture.owner).record)
        var entries: [UUID] = []
        for (month, value) in ["5.4", "5,6", "negative", "5.9"].enumerated() {
            let values = [
                "name": month == 0 ? "HbA1c" : "HBA1C", "value": value, "unit": "%", "date": "2025-0\(month + 1)-10",
            ]
            entries.append(try await add("blood", values, to: record, fixture))
        }
        let other = ["name": "Ferritin", "value": "31", "unit": "µg/l", "date": "2024-01-10"]
        let ferritin = try await add("blood", other, to: record, fixture)
        _ = try await fixture.journal.entries.correctEntry(entries[3], fixture.owner) { content throws(ModelError) in
            try content.set("value", text: "6.1")
        }
        let (first, last) = (entries[0], entries[3])
        try await fixture.browse { browser in
            let base = "/records/\(record.text)/entries/blood"
            #expect(try await browser.get(base).text.contains("href=\"\(base)/chart\""))
            for page in ["/records/\(record.text)", "/records/\(record.text)/values"] {
                #expect(try await browser.get(page).text.contains("href=\"\(base)/chart?of=\(last.text)\""), "\(page)")
            }
            let page = try await browser.get("\(base)/chart").text
            #expect(page.contains("Values of HBA1C: 3, from"))
            #expect(page.contains("<figcaption>HBA1C (%)</figcaption>"))
            // The corrected value is a ring, and the text that is no number is only in the table.
            #expect(page.matches(of: /<circle class="dot"/).count == 2)
            #expect(page.matches(of: /class="ring"/).count == 1)
            #expect(page.contains("negative"))
            #expect(page.contains("Not drawn: values that are no plain number"))
            #expect(page.contains("5.9\u{A0}%") && page.contains("6.1\u{A0}%") && !page.contains("31\u{A0}"))
            #expect(page.contains("\(base)/chart?of=\(ferritin.text)"))
            #expect(!page.contains("of=Ferritin"))
            let single = try await browser.get("\(base)/chart?of=\(ferritin.text)").text
            #expect(
                single.contains("Values of Ferritin: 1,")
                    && single.contains("aria-current=\"true\">Ferritin</a>")
            )
            let year = try await browser.get("\(base)/chart?from=2024&until=2024").text
            #expect(year.contains("Ferritin"))
            #expect(!year.contains("HBA1C"))
            // A period in which the chosen values are missing shows no others.
            let chosen = "\(base)/chart?of=\(first.text)"
            let empty = try await browser.get("\(chosen)&from=2024&until=2024").text
            #expect(empty.contains("aria-current=\"true\">HbA1c</a>"))
            #expect(!empty.contains("<svg direction"))
            #expect(empty.contains("Nothing in these days"))
            #expect(empty.contains("of=\(ferritin.text)"))
            #expect(page.contains("chart?of=\(last.text)&amp;from="))
            #expect(try await browser.get("\(base)/chart?of=\(record.text)").status == 404)
            let none = try await browser.get("\(base)/chart?from=2020&until=2020")
            #expect(none.status == 200)
            #expect(!none.text.contains("<svg direction"))
            #expect(try await browser.get("/records/\(record.text)/entries/doctor/chart").status == 404)
        }
    }

    @Test("A blood pressure has a line for each part")
    func pressure() async throws {
        let fixture = try await ServiceFixture()
        let profile = RecordProfile(subject: .human)
        let record = try #require(try await fixture.journal.records.createRecord(profile, fixture.owner).record)
        for day in 1...3 {
            let values = [
                "name": "Blood pressure", "value": "12\(day)/8\(day)", "unit": "mmHg", "parts.0.name": "systolic",
                "parts.0.value": "12\(day)", "parts.1.name": "diastolic", "parts.1.value": "8\(day)",
                "date": "2025-03-0\(day)T07:00:00Z",
            ]
            _ = try await add("measurement", values, to: record, fixture)
        }
        try await fixture.browse { browser in
            let page = try await browser.get("/records/\(record.text)/entries/measurement/chart").text
            #expect(page.matches(of: /<polyline/).count == 2)
            #expect(page.matches(of: /stroke-dasharray/).count == 1)
            #expect(page.contains(">systolic</text>"))
            #expect(page.contains(">diastolic</text>"))
            #expect(page.contains("123/83\u{A0}mmHg"))
        }
    }

    @Test("Values in another unit are in a chart of their own, and so are their values before a correction")
    func units() async throws {
        let fixture = try await ServiceFixture()
        let profile = RecordProfile(subject: .human)
        let record = try #require(try await fixture.journal.records.createRecord(profile, fixture.owner).record)
        for (day, (value, unit)) in [("5.0", "mmol/l"), ("5.4", "mmol/l"), ("97", "mg/dl")].enumerated() {
            let values = ["name": "Glucose", "value": value, "unit": unit, "date": "2025-03-0\(day + 1)"]
            let entry = try await add("blood", values, to: record, fixture)
            guard day == 1 else { continue }
            _ = try await fixture.journal.entries.correctEntry(entry, fixture.owner) { content throws(ModelError) in
                try content.set("value", text: "5.5")
            }
            _ = try await fixture.journal.entries.correctEntry(entry, fixture.owner) { content throws(ModelError) in
                try content.set("value", text: "99")
                try content.set("unit", text: "mg/dl")
            }
        }
        try await fixture.browse { browser in
            let page = try await browser.get("/records/\(record.text)/entries/blood/chart").text
            #expect(page.contains("<figcaption>Glucose (mmol/l)</figcaption>"))
            #expect(page.contains("<figcaption>Glucose (mg/dl)</figcaption>"))
            #expect(page.matches(of: /<polyline/).count == 2)
            #expect(!page.contains("class=\"was\""))
            #expect(page.contains("5.5\u{A0}mmol/l") && !page.contains("Not drawn"))
        }
    }
}
