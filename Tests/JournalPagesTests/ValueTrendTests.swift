import FoundationEssentials
import HealthModel
import Testing

@testable import JournalPages

@Suite("The newest values and their direction")
struct ValueTrendTests {
    private static let reader = Reader(Languages.builtIn.language(of: ["en-GB"]), zone: .gmt)

    private func entry(_ kind: Kind, _ date: String, _ values: [String: String], at position: UInt64) throws
        -> EntryState
    {
        var content = EntryContent(kind: kind)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { try content.set(name, text: value) }
        content.date = try OccurredDate(parsing: date)
        let stamp = Stamp(position: position, recordedAt: Instant(microseconds: 0), actor: UUID())
        return EntryState(id: UUID(), record: UUID(), content: content, added: stamp)
    }

    private func trends(_ entries: [EntryState]) -> [ValueTrend] {
        ValueTrend.all(of: entries, at: "/records/x", Self.reader)
    }

    @Test("Each name has its newest value, the value before it, and the name with the newest value comes first")
    func newest() throws {
        let trends = trends([
            try entry(Blood.kind, "2024-02-19", ["name": "HbA1c", "value": "6.8", "unit": "%"], at: 1),
            try entry(Blood.kind, "2025-02-24", ["name": "hba1c", "value": "6.4", "unit": "%"], at: 2),
            try entry(Weight.kind, "2026-01-01", ["value": "70", "unit": "kg"], at: 3),
        ])
        #expect(trends.map(\.value) == ["70\u{A0}kg", "6.4\u{A0}%"])
        #expect(trends.map(\.before) == [nil, "19 Feb 2024: 6.8\u{A0}%"])
        #expect(trends.map { $0.svg != nil } == [false, true])
        #expect(trends[0].address == "/records/x/weight")
    }

    @Test("A result out of its range says so beside its value")
    func flagged() throws {
        let trends = trends([
            try entry(Blood.kind, "2025-02-24", ["name": "HbA1c", "value": "6.4", "unit": "%", "high": "6"], at: 1)
        ])
        #expect(trends.map(\.value) == ["6.4\u{A0}% ▲\u{A0}high"])
    }

    @Test("A chart has the reference range of the newest value as a band, unless the values would become too small")
    func band() throws {
        func chart(_ values: [(String, high: String)]) throws -> String {
            let entries = try values.enumerated()
                .map { index, given in
                    let values = ["name": "HbA1c", "value": given.0, "unit": "%", "low": "4.0", "high": given.high]
                    return try entry(Blood.kind, "2024-0\(index + 1)-01", values, at: UInt64(index + 1))
                }
            let series = try #require(ValueSeries.all(of: entries).first)
            return try #require(series.charts(before: [:]).first?.svg(Self.reader) { _ in "" })
        }
        let near = try chart([("7.6", "7.0"), ("6.4", "6.0")])
        #expect(near.contains("class=\"band\""))
        #expect(near.matches(of: /class="band-end"/).count == 2)
        #expect(near.contains(">4.0</text>") || near.contains(">4</text>"))
        // The lower end would leave a tenth of the height to the values.
        let far = try chart([("14.2", "6.0"), ("15.0", "6.0")])
        #expect(far.matches(of: /class="band-end"/).isEmpty)
        #expect(far.contains(">14.2</text>"))
    }

    @Test("Weights in several units are drawn in one, and values without numbers or on one day are not drawn")
    func drawn() throws {
        let mixed = trends([
            try entry(Weight.kind, "2026-01-01", ["value": "70", "unit": "kg"], at: 1),
            try entry(Weight.kind, "2026-02-01", ["value": "154.3", "unit": "lb"], at: 2),
        ])
        #expect(mixed.first?.svg?.matches(of: /\d+,\d+/).count == 2)
        let words = trends([
            try entry(MeasuredValue.kind, "2026-01-01", ["name": "Gums", "value": "pale"], at: 1),
            try entry(MeasuredValue.kind, "2026-02-01", ["name": "Gums", "value": "pink"], at: 2),
        ])
        #expect(words.first?.value == "pink")
        #expect(words.first?.svg == nil)
        let sameDay = trends([
            try entry(Weight.kind, "2026-01-01", ["value": "70", "unit": "kg"], at: 1),
            try entry(Weight.kind, "2026-01-01", ["value": "71", "unit": "kg"], at: 2),
        ])
        #expect(sameDay.first?.svg == nil)
        #expect(sameDay.first?.value == "71\u{A0}kg")
    }

    @Test("A blood pressure is drawn as two lines in one scale")
    func pressure() throws {
        let trends = trends([
            try entry(
                MeasuredValue.kind,
                "2026-01-01",
                ["name": "BP", "value": "120/80", "unit": "mmHg"],
                at: 1
            ),
            try entry(
                MeasuredValue.kind,
                "2026-02-01",
                ["name": "BP", "value": "130/85", "unit": "mmHg"],
                at: 2
            ),
        ])
        let line = try #require(trends.first?.svg)
        #expect(line.matches(of: /<polyline/).count == 2)
    }

    @Test("Two parts in one unit are one value, and parts that are no numbers or have other units are named")
    func parts() throws {
        func value(_ parts: [String: String]) throws -> String? {
            trends([try entry(MeasuredValue.kind, "2026-01-01", ["name": "BP"].merging(parts) { $1 }, at: 1)]).first?
                .value
        }
        var pressure = [
            "parts.0.name": "Systolic", "parts.0.value": "120", "parts.0.unit": "mmHg", "parts.1.name": "Diastolic",
            "parts.1.value": "80", "parts.1.unit": "mmHg",
        ]
        #expect(try value(pressure) == "120/80\u{A0}mmHg")
        pressure["parts.1.unit"] = "kPa"
        #expect(try value(pressure) == "Systolic 120\u{A0}mmHg, Diastolic 80\u{A0}kPa")
        (pressure["parts.0.unit"], pressure["parts.1.unit"], pressure["parts.1.value"]) = ("mmHg", "mmHg", "faint")
        #expect(try value(pressure) == "Systolic 120\u{A0}mmHg, Diastolic faint\u{A0}mmHg")
    }
}
