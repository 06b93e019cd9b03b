import FoundationEssentials
import HealthModel
import Testing

@testable import JournalPages

@Suite("The form of a laboratory report")
struct PanelFormTests {
    private static let reader = Reader(Languages.builtIn.language(of: ["de-CH"]), zone: .gmt)
    private let form = PanelForm(PanelFormTests.reader)

    private func entry(_ date: String, _ values: [String: String], at position: UInt64) throws -> EntryState {
        var content = EntryContent(kind: Blood.kind)
        for (name, value) in values { try content.set(name, text: value) }
        content.date = try OccurredDate(parsing: date)
        let stamp = Stamp(position: position, recordedAt: Instant(microseconds: 0), actor: UUID())
        return EntryState(id: UUID(), record: UUID(), content: content, added: stamp)
    }

    private func begun() throws -> [String: String] {
        form.begun(
            after: [
                try entry("2024-02-19", ["name": "Kalium", "value": "4.1", "unit": "mmol/L", "high": "5.0"], at: 1),
                try entry("2025-02-19", ["name": "Natrium", "value": "140", "unit": "mmol/L"], at: 2),
                try entry(
                    "2025-02-19",
                    ["name": "kalium", "value": "4.3", "unit": "mmol/L", "low": "3.5", "laboratory": "Unilabor"],
                    at: 3
                ),
            ],
            on: try Day(parsing: "2026-03-02")
        )
    }

    @Test("What was measured before is offered once, with its newest unit and range, and without a value")
    func begins() throws {
        let typed = try begun()
        #expect(typed["date"] == "2026-03-02")
        #expect(typed["laboratory"] == "Unilabor")
        #expect(typed["results.0.name"] == "kalium")
        #expect(typed["results.0.unit"] == "mmol/L")
        #expect(typed["results.0.low"] == "3.5")
        #expect(typed["results.0.high"] == nil)
        #expect(typed["results.1.name"] == "Natrium")
        #expect(typed.keys.contains { $0.hasSuffix(".value") } == false)
        // Three lines for what was not measured before.
        let names = form.fields(typed).map(\.name).filter { $0.hasSuffix(".name") }
        #expect(names == (0..<5).map { "results.\($0).name" })
    }

    @Test("Lines with a value become results of the day and the laboratory; the others are left out")
    func results() throws {
        var typed = try begun()
        typed["results.0.value"] = "4,5"
        typed["results.0.high"] = "5,1"
        typed["results.3.name"] = "CRP"
        typed["results.3.value"] = "<5"
        typed["fasting"] = "true"
        let (contents, problems) = form.results(typed)
        #expect(problems.isEmpty)
        #expect(contents.map { $0.body.text(Blood.name) } == ["kalium", "CRP"])
        #expect(contents.map { $0.body.text(Blood.value) } == ["4,5", "<5"])
        #expect(contents[0].body.decimal(Blood.high)?.description == "5.1")
        #expect(contents.allSatisfy { $0.body.text(Blood.laboratory) == "Unilabor" })
        #expect(contents.allSatisfy { $0.body.flag(Blood.fasting) == true })
        #expect(contents.allSatisfy { $0.date?.description == "2026-03-02" })
    }

    @Test("A problem stands at its line, and at the date only once")
    func problems() throws {
        var typed = try begun()
        typed["results.1.value"] = "141"
        typed["results.1.low"] = "x"
        typed["results.4.value"] = "3"
        #expect(Set(form.results(typed).problems.keys) == ["results.1.low", "results.4.name"])
        typed["results.1.low"] = ""
        typed["results.4.name"] = "Urea"
        typed["date"] = "2026-02-30"
        #expect(Set(form.results(typed).problems.keys) == ["date"])
    }

    @Test("A line is added up to as many as a form takes")
    func lines() throws {
        var typed = ["date": "2026-03-02"]
        for _ in 0..<50 { typed = form.addingLine(to: typed) }
        let fields = form.fields(typed)
        #expect(fields.count { $0.name.hasSuffix(".name") } == 35)
        #expect(fields.count < 200)
        #expect(fields.last?.line?.list?.addition == nil)
        #expect(form.fields(["results.0.name": ""]).last?.line?.list?.addition == "Weiterer Wert")
    }

    @Test("A flag is a shape and a word, and where the laboratory disagrees with the range, both are told")
    func flags() throws {
        func flag(_ values: [String: String]) throws -> String? {
            Self.reader.flag(of: try entry("2026-01-01", values.merging(["name": "Kalium"]) { $1 }, at: 1).content)
        }
        #expect(try flag(["value": "5.5", "high": "5.0"]) == "▲\u{A0}hoch")
        #expect(try flag(["value": "4.5", "high": "5.0"]) == nil)
        #expect(try flag(["value": "3.0", "low": "3.5", "flag": "LL"]) == "▼▼\u{A0}sehr niedrig")
        #expect(try flag(["value": "positiv", "flag": "A"]) == "⚠\u{A0}auffällig")
        #expect(try flag(["value": "positiv", "flag": "N"]) == nil)
        #expect(try flag(["value": "5.5", "high": "5.0", "flag": "N"]) == "▲\u{A0}hoch; das Labor sagt: normal")
        #expect(try flag(["value": "4.5", "high": "5.0", "flag": "H"]) == "✓\u{A0}normal; das Labor sagt: hoch")
    }

    @Test("A range has its unit, and an open one says so")
    func ranges() throws {
        func range(_ values: [String: String]) throws -> String? {
            Self.reader.range(of: try entry("2026-01-01", values, at: 1).content)
        }
        #expect(try range(["low": "3.5", "high": "5", "unit": "mmol/L"]) == "3.5–5\u{A0}mmol/L")
        #expect(try range(["high": "5"]) == "≤\u{A0}5")
        #expect(try range(["low": "60", "unit": "mL/min"]) == "≥\u{A0}60\u{A0}mL/min")
        #expect(try range(["normal": "negativ"]) == "negativ")
        #expect(try range(["value": "5"]) == nil)
    }
}
