internal import Interchange
internal import HealthModel

/// Weights over time, as an SVG chart.
///
/// Readable without colour: a corrected value is a ring, and its earlier values are crosses.
struct WeightChart {
    struct Point {
        let day: Day
        let value: Double
        /// The values before the correction.
        let before: [Double]
    }

    let points: [Point]
    let unit: String

    private static let (width, height) = (720.0, 320.0)
    private static let (left, right, top, bottom) = (72.0, 16.0, 16.0, 36.0)

    /// Returns the chart; nil where there are no points.
    func svg(_ reader: Reader) -> String? {
        guard let first = points.map(\.day).min(), let last = points.map(\.day).max() else { return nil }
        let values = points.flatMap { [$0.value] + $0.before }
        let scale = ChartScale(values)
        let span = Double(max(1, last.daysSince1970 - first.daysSince1970))
        func x(_ day: Day) -> Double {
            let place = first == last ? 0.5 : Double(day.daysSince1970 - first.daysSince1970) / span
            return Self.left + place * (Self.width - Self.left - Self.right)
        }
        func y(_ value: Double) -> Double {
            Self.height - Self.bottom - scale.place(value) * (Self.height - Self.top - Self.bottom)
        }
        let description = reader.words[
            "weightDescription",
            reader.number(points.count),
            reader.day(first),
            reader.day(last),
            label(points.map(\.value).min() ?? 0, scale, reader),
            label(points.map(\.value).max() ?? 0, scale, reader)
        ]
        var parts: [String] = []
        for step in scale.steps {
            let at = coordinate(y(step))
            parts.append(
                "<line class=\"grid\" x1=\"\(coordinate(Self.left))\" x2=\"\(coordinate(Self.width - Self.right))\" y1=\"\(at)\" y2=\"\(at)\"/>"
                    + "<text x=\"\(coordinate(Self.left - 8))\" y=\"\(at)\" dy=\"4\" text-anchor=\"end\">\(HTML.escaped(stepLabel(step, scale, reader)))</text>"
            )
        }
        for (day, anchor) in ends(first, last) {
            parts.append(
                "<text x=\"\(coordinate(x(day)))\" y=\"\(coordinate(Self.height - 10))\" text-anchor=\"\(anchor)\">\(HTML.escaped(reader.day(day)))</text>"
            )
        }
        parts.append(
            "<text class=\"label\" x=\"\(coordinate(Self.left - 8))\" y=\"\(coordinate(Self.height - 10))\" text-anchor=\"end\">\(HTML.escaped(unit))</text>"
        )
        let ordered = points.sorted { $0.day < $1.day }
        let line = ordered.map { "\(coordinate(x($0.day))),\(coordinate(y($0.value)))" }.joined(separator: " ")
        parts.append("<polyline class=\"line\" points=\"\(line)\"/>")
        for point in ordered {
            let (px, py) = (coordinate(x(point.day)), coordinate(y(point.value)))
            for before in point.before where before != point.value {
                let (bx, by) = (x(point.day), y(before))
                parts.append(
                    "<path class=\"was\" d=\"M\(coordinate(bx - 4)) \(coordinate(by - 4))l8 8m0 -8l-8 8\"/>"
                )
            }
            let mark = point.before.isEmpty ? "dot" : "ring"
            // With many points, only corrected values are marked.
            if points.count <= 120 || !point.before.isEmpty {
                parts.append(
                    "<circle class=\"\(mark)\" cx=\"\(px)\" cy=\"\(py)\" r=\"\(point.before.isEmpty ? 3.5 : 4.5)\"/>"
                )
            }
        }
        return
            "<svg direction=\"ltr\" viewBox=\"0 0 \(coordinate(Self.width)) \(coordinate(Self.height))\" role=\"img\" aria-label=\"\(HTML.escaped(description))\">\(parts.joined())</svg>"
    }

    private func ends(_ first: Day, _ last: Day) -> [(day: Day, anchor: String)] {
        first == last ? [(first, "middle")] : [(first, "start"), (last, "end")]
    }

    private func stepLabel(_ value: Double, _ scale: ChartScale, _ reader: Reader) -> String {
        reader.number(value, digits: scale.digits)
    }

    private func label(_ value: Double, _ scale: ChartScale, _ reader: Reader) -> String {
        "\(reader.number(value, digits: max(1, scale.digits))) \(unit)"
    }
}

extension Reader {
    /// Formats a value of a chart's axis, rounded to the given number of decimal places.
    func number(_ value: Double, digits: Int) -> String {
        let power = (0..<digits).reduce(1.0) { power, _ in power * 10 }
        let scaled = (value * power).rounded()
        guard scaled.magnitude < 1e17 else { return "\(value)" }
        return number(ExactDecimal(coefficient: Int64(scaled), scale: UInt8(digits)))
    }
}
