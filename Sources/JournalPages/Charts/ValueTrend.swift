internal import Foundation
package import HealthModel

/// The newest value of one name, and in which direction the values before it went.
package struct ValueTrend: Sendable {
    package let name: String
    package let value: String
    package let date: String?
    /// The value before, with its date; nil without one.
    package let before: String?
    /// The page with all values of the name.
    package let address: String
    /// A small chart in SVG, whose numbers stand beside it; nil without two numbers of different days.
    package let svg: String?
    private let order: Int64

    /// Returns the weight, and each name of the other values, the one with the newest value first.
    package static func all(
        of entries: [EntryState],
        at record: String,
        query: String = "",
        _ reader: Reader
    ) -> [ValueTrend] {
        let separator = query.isEmpty ? "?" : "&"
        var trends: [ValueTrend] = []
        let weights = entries.filter { $0.kind == Weight.kind }.latestFirst
        if let newest = weights.first {
            let own = newest.content.body.text(Weight.unit)
            let unit = reader.measuredWeightUnit ?? own ?? "kg"
            let points = weights.compactMap { entry -> ValueChart.Point? in
                guard let day = entry.content.date?.day, let value = entry.content.weight(in: unit) else { return nil }
                return ValueChart.Point(day: day, value: value)
            }
            trends.append(
                ValueTrend(
                    reader.words.label(Weight.kind.label),
                    weights,
                    reader.weight,
                    at: "\(record)/weight\(query)",
                    svg: Sparkline.svg([points]),
                    reader
                )
            )
        }
        for kind in Kind.values where kind != Weight.kind {
            for series in ValueSeries.all(of: entries.filter { $0.kind == kind }) {
                guard let newest = series.entries.first else { continue }
                let chart = series.charts(before: [:]).first
                trends.append(
                    ValueTrend(
                        series.name,
                        series.entries,
                        { reader.value(of: $0, ValueSeries.shortText) },
                        at: "\(record)/entries/\(kind.name)/chart\(query)\(separator)of=\(newest.id.text)",
                        svg: chart.flatMap { Sparkline.svg($0.lines.map(\.points)) },
                        reader
                    )
                )
            }
        }
        return trends.sorted { $0.order > $1.order }
    }

    /// `entries` are those of one name, latest first.
    private init(
        _ name: String,
        _ entries: [EntryState],
        _ text: (EntryContent) -> String?,
        at address: String,
        svg: String?,
        _ reader: Reader
    ) {
        self.name = name
        self.address = address
        self.svg = svg
        func shown(_ entry: EntryState) -> String { text(entry.content) ?? reader.words["nothingSaid"] }
        value = entries.first.map(shown) ?? ""
        date = entries.first?.content.date.map(reader.occurred)
        before = entries.dropFirst().first
            .map { entry in
                let date = entry.content.date.map(reader.occurred) ?? reader.words["noDate"]
                return reader.words["labelled", date, shown(entry)]
            }
        order = entries.first?.sortKey ?? .min
    }
}

/// A chart of the height of a line of text, without axes.
enum Sparkline {
    private static let (width, height, margin) = (120.0, 32.0, 4.0)
    /// The maximum number of lines, such as those of the two values of a blood pressure.
    private static let lines = 2

    /// Returns the chart of up to two lines; nil if none has points on different days.
    static func svg(_ lines: [[ValueChart.Point]]) -> String? {
        let lines = lines.prefix(Sparkline.lines).map { $0.sorted { $0.day < $1.day } }
        let points = lines.flatMap(\.self)
        guard let first = points.map(\.day).min(), let last = points.map(\.day).max(), first < last,
            let least = points.map(\.value).min(), let most = points.map(\.value).max()
        else { return nil }
        let days = Double(last.daysSince1970 - first.daysSince1970)
        func place(_ point: ValueChart.Point) -> (x: String, y: String) {
            let x = margin + (width - 2 * margin) * Double(point.day.daysSince1970 - first.daysSince1970) / days
            let height = height - 2 * margin
            let y = most == least ? height / 2 : height * (most - point.value) / (most - least)
            return (coordinate(x), coordinate(margin + y))
        }
        let shapes = lines.flatMap { line -> [String] in
            guard let end = line.last.map(place) else { return [] }
            let path = line.map(place).map { "\($0.x),\($0.y)" }.joined(separator: " ")
            return ["<polyline points=\"\(path)\"/>", "<circle cx=\"\(end.x)\" cy=\"\(end.y)\" r=\"3\"/>"]
        }
        return
            "<svg class=\"sparkline\" viewBox=\"0 0 \(coordinate(width)) \(coordinate(height))\" aria-hidden=\"true\" focusable=\"false\">\(shapes.joined())</svg>"
    }
}
