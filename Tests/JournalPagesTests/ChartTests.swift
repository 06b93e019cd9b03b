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
        let points = try values.enumerated()
            .map { number, value in
                let value = try ExactDecimal(parsing: "\(value)")
                return ValueChart.Point(day: Day(daysSince1970: Int32(number)), value: value, before: [value])
            }
        let chart = ValueChart(lines: [ValueChart.Line(points)], unit: "kg")
        let svg = try #require(chart.svg(reader) { "\($0.count) from \($0.lowest) to \($0.highest)" })
        #expect(!svg.contains("nan"))
        #expect(!svg.contains("inf"))
    }

    private func chart(_ values: [Double], before: [Double] = []) throws -> ValueChart {
        func exact(_ value: Double) throws -> ExactDecimal { try ExactDecimal(parsing: "\(value)") }
        let before = try before.map(exact)
        let points = try values.map(exact).enumerated()
            .map { ValueChart.Point(day: Day(daysSince1970: Int32($0)), value: $1, before: $0 == 0 ? before : []) }
        return ValueChart(lines: [ValueChart.Line(points)], unit: "kg")
    }

    @Test("A value far from all others does not set the scale: it is an arrow that says its value")
    func outlier() throws {
        let usual = [75.4, 75.1, 74.8, 75.9, 76.2, 75.5, 75.0]
        for values in [usual + [754], [754] + usual, usual + [0.0754]] {
            let outlier = try #require(values.first { !usual.contains($0) })
            let chart = try chart(values)
            #expect(chart.outliers.map(\.point.value) == [outlier])
            let svg = try #require(chart.svg(reader) { "between \($0.lowest) and \($0.highest)" })
            // The arrow points out of the picture, and the description does not round.
            #expect(svg.contains("m-6 0h12l-6 9z") == (outlier < 1))
            #expect(svg.contains("l6 9h-12z") == (outlier > 100))
            #expect(svg.contains(outlier > 100 ? "and 754.0\u{A0}kg" : "between 0.0754\u{A0}kg"))
            let steps = svg.matches(of: /dy="4" text-anchor="end">([0-9.]+)</).compactMap { Double($0.1) }
            #expect(steps.allSatisfy { (74...77).contains($0) } && steps.count >= 3)
            #expect(svg.matches(of: /<circle/).count == usual.count && svg.matches(of: /class="dot" d="M/).count == 1)
            let note = try #require(chart.note(ofOutliers: reader))
            #expect(note.contains(outlier > 100 ? "754.0\u{A0}kg" : "0.0754\u{A0}kg") && note.contains("1970"))
            for number in svg.matches(of: /[xy12]="(-?[0-9.]+)"/) {
                #expect(try (0...720).contains(#require(Double(number.1))))
            }
        }
        // A value that was corrected does not flatten the others either.
        let corrected = try #require(try chart(usual, before: [754]).svg(reader) { _ in "" })
        #expect(!corrected.contains(">754"))
        #expect(!corrected.contains("class=\"was\""))
        #expect(corrected.contains("class=\"ring\""))
    }

    @Test(
        "Growth, two groups of values and few values set the scale",
        arguments: [
            Array(stride(from: 0.4, through: 30, by: 0.7)), [1, 1, 1, 1, 9, 9, 9, 9], [1, 100], [5, 5, 5, 5, 5, 5.6],
            [3, 3, 3, 3, 90, 95], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 2],
        ]
    )
    func usual(_ values: [Double]) throws { #expect(try chart(values).outliers.isEmpty) }

    private func content(_ kind: Kind, _ values: [String: String]) throws -> EntryContent {
        var content = EntryContent(kind: kind)
        for (name, text) in values.sorted(by: { $0.key < $1.key }) { try content.set(name, text: text) }
        return content
    }

    private func numbers(_ kind: Kind, _ values: [String: String]) throws -> [String] {
        ValueSeries.numbers(try content(kind, values)).map { "\($0.part.name)\($0.value)\($0.part.unit)" }
    }

    @Test(
        "The numbers of a value are those of its text, unless it can be read in two ways",
        arguments: [
            ("5.4", ["5.4"]), ("5,4", ["5.4"]), (" 1 200 ", ["1200"]), ("1\u{202F}200,5", ["1200.5"]),
            ("5.40", ["5.40"]),
            ("negative", []), ("< 5", []), ("1/2/3", []), ("120/", []), ("-0.5", ["-0.5"]), ("250,000", []),
            ("0,125", ["0.125"]), ("1,000,000", []), ("12 5", []), ("7.4 120", []), ("1234 567", []),
            ("1 234 567", ["1234567"]), ("1.2E+2", ["120"]),
        ]
    )
    func numbers(_ text: String, _ expected: [String]) throws {
        for kind in [Blood.kind, MeasuredValue.kind] {
            #expect(try numbers(kind, ["name": "Creatinine", "value": text]) == expected, "\(text)")
        }
    }

    @Test("A measurement such as 120/80 has two values, and a titre of blood one that is not drawn")
    func halves() throws {
        #expect(try numbers(MeasuredValue.kind, ["name": "RR", "value": "120/80"]) == ["120", "/80"])
        #expect(try numbers(Blood.kind, ["name": "ANA", "value": "1/160"]) == [])
        #expect(ValueSeries.count(try content(Blood.kind, ["name": "ANA", "value": "1/160"])) == 1)
    }

    @Test("Each part of a measurement has a unit of its own, in the chart and in the table")
    func parts() throws {
        var values = [
            "name": "Blood pressure", "parts.0.name": "systolic", "parts.0.value": "120", "parts.0.unit": "mmHg",
            "parts.1.name": "diastolic", "parts.1.value": "80", "parts.1.unit": "mmHg",
        ]
        #expect(try numbers(MeasuredValue.kind, values) == ["systolic120mmHg", "diastolic80mmHg"])
        values["value"] = "120/80"
        #expect(try numbers(MeasuredValue.kind, values) == ["systolic120mmHg", "diastolic80mmHg"])
        #expect(ValueSeries.text(try content(MeasuredValue.kind, values)) == "120/80\u{A0}mmHg")
        values["value"] = nil
        values.merge(["parts.2.name": "pulse", "parts.2.value": "64", "parts.2.unit": "/min"]) { $1 }
        let pressure = try content(MeasuredValue.kind, values)
        #expect(ValueSeries.text(pressure) == "systolic 120\u{A0}mmHg, diastolic 80\u{A0}mmHg, pulse 64\u{A0}/min")
        values["value"] = "at rest"
        #expect(
            ValueSeries.text(try content(MeasuredValue.kind, values))
                == "at rest (systolic 120\u{A0}mmHg, diastolic 80\u{A0}mmHg, pulse 64\u{A0}/min)"
        )
        #expect(ValueSeries.count(try content(MeasuredValue.kind, values)) == 4)
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
            #expect(x >= 0)
            #expect(x + width <= 720)
        }
    }

    @Test("The steps of an axis are round numbers, from below the lowest to above the highest value")
    func steps() {
        let scale = ChartScale([68.3, 71.6])
        #expect(scale.steps == [68, 69, 70, 71, 72])
        #expect(scale.digits == 0)
        #expect(ChartScale([0.12, 0.31], fromZero: true).steps.first == 0)
    }
}
