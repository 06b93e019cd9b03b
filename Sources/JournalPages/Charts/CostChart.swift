internal import Interchange

/// A bar chart of the costs of each year, divided by category.
///
/// Neighbouring categories differ in pattern, and each has its name.
struct CostChart {
    struct Year {
        let year: Int64
        let parts: [(category: String, amount: Double, description: String)]
        let description: String
        /// The length of the bar, without refunds: a refund reduces the total but shortens no part of the bar.
        var reach: Double { parts.reduce(0) { $0 + max(0, $1.amount) } }
    }

    let years: [Year]

    private static let (width, row, left, right) = (720.0, 34.0, 64.0, 176.0)

    func svg(_ description: String) -> String? {
        guard !years.isEmpty else { return nil }
        let scale = ChartScale(years.map(\.reach), fromZero: true)
        func x(_ value: Double) -> Double { Self.left + scale.place(value) * (Self.width - Self.left - Self.right) }
        let height = Double(years.count) * Self.row + 8
        var parts = [
            "<defs><pattern id=\"stripes\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                + "<rect class=\"bar-a\" width=\"2.5\" height=\"6\"/></pattern></defs>"
        ]
        for (index, year) in years.enumerated() {
            let top = Double(index) * Self.row + 6
            parts.append(
                "<text class=\"label\" x=\"\(coordinate(Self.left - 8))\" y=\"\(coordinate(top + 16))\" text-anchor=\"end\">\(year.year)</text>"
            )
            var start = 0.0
            for (place, part) in year.parts.enumerated() where part.amount > 0 {
                let (from, to) = (x(start), x(start + part.amount))
                parts.append(
                    "<rect class=\"\(place % 2 == 0 ? "bar-a" : "bar-b")\" x=\"\(coordinate(from))\" y=\"\(coordinate(top))\" width=\"\(coordinate(max(1, to - from - 1.5)))\" height=\"22\">"
                        + "<title>\(HTML.escaped("\(part.category): \(part.description)"))</title></rect>"
                )
                start += part.amount
            }
            parts.append(
                "<text x=\"\(coordinate(x(max(0, start)) + 8))\" y=\"\(coordinate(top + 16))\">\(HTML.escaped(year.description))</text>"
            )
        }
        return
            "<svg direction=\"ltr\" viewBox=\"0 0 \(coordinate(Self.width)) \(coordinate(height))\" role=\"img\" aria-label=\"\(HTML.escaped(description))\">\(parts.joined())</svg>"
    }
}
