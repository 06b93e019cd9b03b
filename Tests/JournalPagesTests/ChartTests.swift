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
            .map { WeightChart.Point(day: Day(daysSince1970: Int32($0)), value: $1, before: [$1]) }
        let svg = try #require(WeightChart(points: points, unit: "kg").svg(reader))
        #expect(!svg.contains("nan") && !svg.contains("inf"))
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
