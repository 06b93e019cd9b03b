import Foundation
import HealthModel
import Testing

@testable import JournalPages

@Suite("Charts")
struct ChartTests {
    private let reader: Reader

    init() throws {
        reader = Reader(ReaderLanguage(Languages.builtIn.english, locale: Locale(identifier: "en-GB")), zone: .gmt)
    }

    @Test(
        "Any weights can be drawn",
        arguments: [
            [0, 0], [1_000_000, 0], [938_909, 938_909.000_000_000_1], [0.000_000_001, 0.000_000_002], [72.5],
            [999_999.999_999, 1_000_000], [1e-18, 1e-17], [64_000, 64_000.0.nextUp], [1e15, 1e15.nextUp],
        ]
    )
    func weights(_ values: [Double]) throws {
        let points = values.enumerated()
            .map { ValueChart.Point(day: Day(daysSince1970: Int32($0)), value: $1, before: [$1]) }
        let chart = ValueChart(lines: [ValueChart.Line(points)], unit: "kg")
        let svg = try #require(chart.svg(reader) { "\($0.count) from \($0.lowest) to \($0.highest)" })
        #expect(!svg.contains("nan") && !svg.contains("inf"))
    }

    private func chart(_ values: [Double], before: [Double] = []) -> ValueChart {
        let points = values.enumerated()
            .map { ValueChart.Point(day: Day(daysSince1970: Int32($0)), value: $1, before: $0 == 0 ? before : []) }
        return ValueChart(lines: [ValueChart.Line(points)], unit: "kg")
    }

    @Test("A value far from all others does not set the scale: it is an arrow that says its value")
    func outlier() throws {
        let usual = [75.4, 75.1, 74.8, 75.9, 76.2, 75.5, 75.0]
        for values in [usual + [754], [754] + usual, usual + [0.0754]] {
            let outlier = try #require(values.first { !usual.contains($0) })
            let chart = chart(values)
            #expect(chart.outliers.map(\.value) == [outlier])
            let svg = try #require(chart.svg(reader) { "between \($0.lowest) and \($0.highest)" })
            let steps = svg.matches(of: /dy="4" text-anchor="end">([0-9.]+)</).compactMap { Double($0.1) }
            #expect(steps.allSatisfy { (74...77).contains($0) } && steps.count >= 3)
            #expect(svg.matches(of: /<circle/).count == usual.count && svg.matches(of: /class="dot" d="M/).count == 1)
            let note = try #require(chart.note(ofOutliers: reader))
            #expect(note.contains(outlier > 100 ? "754 kg" : "0.1 kg") && note.contains("1970"))
            for number in svg.matches(of: /[xy12]="(-?[0-9.]+)"/) {
                #expect(try (0...720).contains(#require(Double(number.1))))
            }
        }
        // A value that was corrected does not flatten the others either.
        let corrected = try #require(chart(usual, before: [754]).svg(reader) { _ in "" })
        #expect(!corrected.contains(">754") && !corrected.contains("class=\"was\""))
        #expect(corrected.contains("class=\"ring\""))
    }

    @Test(
        "Growth, two groups of values and few values set the scale",
        arguments: [
            Array(stride(from: 0.4, through: 30, by: 0.7)), [1, 1, 1, 1, 9, 9, 9, 9], [1, 100], [5, 5, 5, 5, 5, 5.6],
            [3, 3, 3, 3, 90, 95], [0, 0, 0, 0, 0, 0],
        ]
    )
    func usual(_ values: [Double]) { #expect(chart(values).outliers.isEmpty) }

    @Test("The numbers of a value are those of its parts or of its text")
    func numbers() throws {
        func numbers(_ kind: Kind, _ values: [String: String]) throws -> [String] {
            var content = EntryContent(kind: kind)
            for (name, text) in values.sorted(by: { $0.key < $1.key }) { try content.set(name, text: text) }
            return ValueSeries.numbers(content).map { "\($0.name)\($0.value)" }
        }
        let name = "Blood pressure"
        for (text, expected) in [
            ("5.4", ["5.4"]), ("5,4", ["5.4"]), (" 1 200 ", ["1200.0"]), ("120/80", ["120.0", "/80.0"]),
            ("negative", []), ("< 5", []), ("1/2/3", []), ("120/", []), ("-0.5", ["-0.5"]),
        ] {
            #expect(try numbers(Blood.kind, ["name": name, "value": text]) == expected, "\(text)")
            #expect(try numbers(MeasuredValue.kind, ["name": name, "value": text]) == expected, "\(text)")
        }
        let parts = [
            "name": name, "value": "120/80", "parts.0.name": "systolic", "parts.0.value": "120",
            "parts.1.name": "diastolic", "parts.1.value": "80",
        ]
        #expect(try numbers(MeasuredValue.kind, parts) == ["systolic120.0", "diastolic80.0"])
    }

    @Test(
        "Any costs can be drawn, and a refund draws no bar outside the picture",
        arguments: [
            [1_000_000_000_000, -999_999_999_999.999_9], [500, -200], [-5], [0], [1e-9, 1e12], [0.01, 0.02, 0.03],
        ]
    )
    func costs(_ amounts: [Double]) throws {
        let parts = amounts.map { (category: "a", amount: $0, description: "\($0)") }
        let svg = try #require(
            CostChart(years: [CostChart.Year(year: 2024, parts: parts, description: "x")]).svg("costs")
        )
        for bar in svg.matches(of: /<rect class="bar-[ab]" x="([0-9.-]+)" y="[0-9.]+" width="([0-9.]+)"/) {
            let (x, width) = (try #require(Double(bar.1)), try #require(Double(bar.2)))
            #expect(x >= 0 && x + width <= 720)
        }
    }

    @Test("The steps of an axis are round numbers, from below the lowest to above the highest value")
    func steps() {
        let scale = ChartScale([68.3, 71.6])
        #expect(scale.steps == [68, 69, 70, 71, 72] && scale.digits == 0)
        #expect(ChartScale([0.12, 0.31], fromZero: true).steps.first == 0)
    }
}
