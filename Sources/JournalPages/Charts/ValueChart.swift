internal import HealthModel
internal import Interchange

/// Measured values over time, as an SVG chart of one or more lines.
///
/// Readable without colour: a corrected value is a ring, its earlier values are crosses, and lines differ in their dashes.
/// A few values far from all others do not set the scale: they are arrows at its edge, and each says its value.
struct ValueChart {
    struct Point {
        let day: Day
        /// The value as it was entered or converted.
        let exact: ExactDecimal
        /// The value, precise enough to draw it.
        let value: Double
        /// The values before the correction.
        let before: [Double]

        init(day: Day, value: ExactDecimal, before: [ExactDecimal] = []) {
            (self.day, exact) = (day, value)
            self.value = Double(value.description) ?? 0
            self.before = before.map { Double($0.description) ?? 0 }
        }
    }

    struct Line {
        /// Nil if the values do not say what it is.
        let name: String?
        let points: [Point]

        init(_ points: [Point], name: String? = nil) {
            (self.name, self.points) = (name, points)
        }
    }

    /// What the description of a chart says of its values, as the reader reads it.
    struct Extent {
        let count, first, last, lowest, highest: String
    }

    /// The reference range, open at an end that is nil.
    struct Band {
        let low, high: ExactDecimal?
        /// The result that has the range.
        let result: EntryContent
    }

    let lines: [Line]
    let unit: String
    /// The reference range of the newest value that has one, in the unit of the chart.
    var band: Band?

    private var points: [Point] { lines.flatMap(\.points) }

    private static let (width, height) = (720.0, 320.0)
    private static let (left, right, top, bottom) = (72.0, 16.0, 16.0, 36.0)
    /// The space for the names of several lines.
    private static let names = 96.0

    /// The values that set the scale; nil if all do.
    var usual: ClosedRange<Double>? { ChartScale.usual(points.map(\.value)) }

    /// The points whose values are outside the scale with the names of their lines, oldest first.
    var outliers: [(line: String?, point: Point)] {
        guard let usual else { return [] }
        return lines.flatMap { line in line.points.map { (line.name, $0) } }
            .filter { !usual.contains($0.1.value) }
            .sorted { $0.1.day < $1.1.day }
    }

    /// Returns the chart; nil where there are no points.
    func svg(_ reader: Reader, describing: (Extent) -> String) -> String? {
        guard let first = points.map(\.day).min(), let last = points.map(\.day).max() else { return nil }
        let usual = usual
        func isShown(_ value: Double) -> Bool { usual?.contains(value) ?? true }
        // Without outliers, the values before corrections may be far from the others: they may not set the scale either.
        let current = points.map(\.value).filter(isShown)
        let all = current + points.flatMap(\.before)
        let drawn = ChartScale.usual(all).map { range in current + all.filter(range.contains) } ?? all
        let scale = ChartScale(drawn + bandEnds(beside: drawn))
        let frame = Frame(scale, from: first, through: last, hasNames: lines.contains { $0.name != nil })
        let ordered = points.sorted { $0.exact < $1.exact }
        let extent = Extent(
            count: reader.number(points.count),
            first: reader.day(first),
            last: reader.day(last),
            lowest: ordered.first.map { label($0, reader) } ?? "",
            highest: ordered.last.map { label($0, reader) } ?? ""
        )
        var parts = frame.axes(unit, reader) + (band.map(frame.band) ?? [])
        for (number, line) in lines.enumerated() {
            let ordered = line.points.sorted { $0.day < $1.day }
            let shown = ordered.filter { isShown($0.value) }
            parts.append(frame.polyline(shown, number))
            if let name = line.name, let end = shown.last {
                parts.append(
                    "<text class=\"label\" x=\"\(coordinate(frame.x(end.day) + 8))\" y=\"\(coordinate(frame.y(end.value)))\" dy=\"4\">\(HTML.escaped(name))</text>"
                )
            }
            for point in shown { parts += frame.marks(of: point, among: points.count) }
            for point in ordered where !isShown(point.value) {
                let isAbove = usual.map { point.value > $0.upperBound } ?? false
                parts.append(frame.arrow(at: point, isAbove: isAbove, label(point, reader)))
            }
        }
        return
            "<svg direction=\"ltr\" viewBox=\"0 0 \(coordinate(Self.width)) \(coordinate(Self.height))\" role=\"img\" aria-label=\"\(HTML.escaped(describing(extent)))\">\(parts.joined())</svg>"
    }

    /// Returns the ends of the band that are drawn: those that leave at least a quarter of the height to the values.
    private func bandEnds(beside values: [Double]) -> [Double] {
        guard let band, let least = values.min(), let most = values.max() else { return [] }
        let ends = [band.low, band.high].compactMap { $0.flatMap { Double($0.description) } }
        let nearest = ends.sorted { abs($0 - (least + most) / 2) < abs($1 - (least + most) / 2) }
        var (lowest, highest, shown) = (least, most, [Double]())
        for end in nearest {
            let (low, high) = (min(lowest, end), max(highest, end))
            guard least == most || high - low <= 4 * (most - least) else { break }
            (lowest, highest) = (low, high)
            shown.append(end)
        }
        return shown
    }

    /// Returns a sentence that lists the values outside the scale; nil if there are none.
    func note(ofOutliers reader: Reader) -> String? {
        let outliers = outliers
        guard !outliers.isEmpty else { return nil }
        let listed = outliers.prefix(5)
            .map { line, point in
                let value = label(point, reader)
                return reader.words["outlier", line.map { "\($0) \(value)" } ?? value, reader.day(point.day)]
            }
        return reader.words["outliers", (listed + (outliers.count > 5 ? ["…"] : [])).joined(separator: ", ")]
    }

    private func label(_ point: Point, _ reader: Reader) -> String {
        let number = reader.number(point.exact)
        return unit.isEmpty ? number : "\(number)\u{A0}\(unit)"
    }

    /// Where days and values are in the picture.
    private struct Frame {
        let scale: ChartScale
        let first: Day
        let last: Day
        let right: Double

        init(_ scale: ChartScale, from first: Day, through last: Day, hasNames: Bool) {
            (self.scale, self.first, self.last) = (scale, first, last)
            right = ValueChart.right + (hasNames ? ValueChart.names : 0)
        }

        func x(_ day: Day) -> Double {
            let span = Double(max(1, last.daysSince1970 - first.daysSince1970))
            let place = first == last ? 0.5 : Double(day.daysSince1970 - first.daysSince1970) / span
            return ValueChart.left + place * (ValueChart.width - ValueChart.left - right)
        }

        func y(_ value: Double) -> Double {
            let inside = min(1, max(0, scale.place(value)))
            return ValueChart.height - ValueChart.bottom - inside
                * (ValueChart.height - ValueChart.top - ValueChart.bottom)
        }

        func axes(_ unit: String, _ reader: Reader) -> [String] {
            var parts: [String] = []
            for step in scale.steps {
                let at = coordinate(y(step))
                let label = HTML.escaped(reader.number(step, digits: scale.digits))
                parts.append(
                    "<line class=\"grid\" x1=\"\(coordinate(ValueChart.left))\" x2=\"\(coordinate(ValueChart.width - right))\" y1=\"\(at)\" y2=\"\(at)\"/>"
                        + "<text x=\"\(coordinate(ValueChart.left - 8))\" y=\"\(at)\" dy=\"4\" text-anchor=\"end\">\(label)</text>"
                )
            }
            let ends = first == last ? [(first, "middle")] : [(first, "start"), (last, "end")]
            for (day, anchor) in ends {
                parts.append(
                    "<text x=\"\(coordinate(x(day)))\" y=\"\(coordinate(ValueChart.height - 10))\" text-anchor=\"\(anchor)\">\(HTML.escaped(reader.day(day)))</text>"
                )
            }
            parts.append(
                "<text class=\"label\" x=\"\(coordinate(ValueChart.left - 8))\" y=\"\(coordinate(ValueChart.height - 10))\" text-anchor=\"end\">\(HTML.escaped(unit))</text>"
            )
            return parts
        }

        /// The reference range behind the values, with a dashed line at each end that is within the scale.
        func band(_ band: Band) -> [String] {
            let (low, high) = (
                band.low.flatMap { Double($0.description) }, band.high.flatMap { Double($0.description) }
            )
            let (bottom, top) = (y(low ?? -.infinity), y(high ?? .infinity))
            let (x, end) = (coordinate(ValueChart.left), coordinate(ValueChart.width - right))
            let width = coordinate(ValueChart.width - right - ValueChart.left)
            let ends = [low, high].compactMap(\.self).filter { $0 >= scale.lowest && $0 <= scale.highest }
            return [
                "<rect class=\"band\" x=\"\(x)\" y=\"\(coordinate(top))\" width=\"\(width)\" height=\"\(coordinate(max(0, bottom - top)))\"/>"
            ]
                + ends.map {
                    "<line class=\"band-end\" x1=\"\(x)\" x2=\"\(end)\" y1=\"\(coordinate(y($0)))\" y2=\"\(coordinate(y($0)))\"/>"
                }
        }

        func polyline(_ points: [Point], _ number: Int) -> String {
            let line = points.map { "\(coordinate(x($0.day))),\(coordinate(y($0.value)))" }.joined(separator: " ")
            let dashes = number == 0 ? "" : " stroke-dasharray=\"\(["7 4", "2 4", "10 3 2 3"][(number - 1) % 3])\""
            return "<polyline class=\"line\" points=\"\(line)\"\(dashes)/>"
        }

        func marks(of point: Point, among count: Int) -> [String] {
            var parts: [String] = []
            for before in point.before
            where before != point.value && before >= scale.lowest && before <= scale.highest {
                let (bx, by) = (coordinate(x(point.day) - 4), coordinate(y(before) - 4))
                parts.append("<path class=\"was\" d=\"M\(bx) \(by)l8 8m0 -8l-8 8\"/>")
            }
            let isCorrected = !point.before.isEmpty
            // With many points, only corrected values are marked.
            if count <= 120 || isCorrected {
                let (px, py) = (coordinate(x(point.day)), coordinate(y(point.value)))
                let (mark, radius) = isCorrected ? ("ring", 4.5) : ("dot", 3.5)
                parts.append("<circle class=\"\(mark)\" cx=\"\(px)\" cy=\"\(py)\" r=\"\(radius)\"/>")
            }
            return parts
        }

        /// An arrow at the edge of the scale, and the value beside it.
        func arrow(at point: Point, isAbove: Bool, _ label: String) -> String {
            let (px, py) = (x(point.day), y(isAbove ? scale.highest : scale.lowest))
            let tip = isAbove ? py : py - 9
            let shape = isAbove ? "l6 9h-12z" : "m-6 0h12l-6 9z"
            let isLate = px > ValueChart.width / 2
            return "<path class=\"dot\" d=\"M\(coordinate(px)) \(coordinate(tip))\(shape)\"/>"
                + "<text x=\"\(coordinate(px + (isLate ? -9 : 9)))\" y=\"\(coordinate(py + (isAbove ? 14 : -6)))\" text-anchor=\"\(isLate ? "end" : "start")\">\(HTML.escaped(label))</text>"
        }
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
