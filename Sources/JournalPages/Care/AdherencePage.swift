internal import FoundationEssentials
internal import HealthModel
package import Interchange

/// The page of how many of the planned doses were taken: a chart, the same numbers as a table, and the definition.
package struct AdherencePage: WebPage {
    package static let template = Template("adherence")

    package let head: RecordHead
    package let heading: String
    package let from: String
    package let last: String
    package let by: String
    package let groupings: [ChartContent.Choice]
    package let total: String
    package let totalDetails: String
    package let charts: [ChartContent.Chart]
    package let tables: [ChartContent.Table]

    package init(
        _ head: RecordHead,
        _ adherence: AdherenceDocument,
        by grouping: AdherenceGrouping,
        _ reader: Reader
    ) {
        let words = reader.words
        self.head = head
        heading = words["adherenceHeading"]
        from = adherence.from.description
        let last = adherence.to.adding(days: -1)
        self.last = last.description
        by = grouping.rawValue
        groupings = AdherenceGrouping.allCases.map { other in
            ChartContent.Choice(
                address: "\(head.address)/adherence?from=\(adherence.from)&last=\(last)&by=\(other.rawValue)",
                label: words["by.\(other.rawValue)"],
                isCurrent: other == grouping
            )
        }
        total = adherence.total.shown(reader)
        totalDetails =
            words[
                "adherenceDetails",
                reader.number(adherence.total.onTime),
                reader.number(adherence.total.leftOut),
                reader.number(adherence.total.asNeeded),
                reader.number(adherence.total.unplanned)
            ]
        // Bars of days on which nothing was due would say that nothing was taken.
        let groups = adherence.groups.filter { $0.counts.settled > 0 }
        let bars = groups.suffix(AdherencePage.bars)
            .map {
                AdherenceChart.Bar(label: $0.label(grouping, reader), counts: $0.counts, text: $0.counts.shown(reader))
            }
        charts =
            AdherenceChart(bars: bars).svg(words["adherenceDescription", adherence.total.shown(reader)])
            .map { [ChartContent.Chart(caption: nil, svg: $0, legend: words["adherenceLegend"])] } ?? []
        let columns =
            [ChartContent.Column(words["by.\(grouping.rawValue)"]), ChartContent.Column(words["shareTaken"])]
            + AdherencePage.columns.map { ChartContent.Column(words["state.\($0.name)"], isNumber: true) }
            + [
                ChartContent.Column(words["onTime"], isNumber: true),
                ChartContent.Column(words["notCountedColumn"], isNumber: true),
            ]
        func row(_ label: String, _ counts: Adherence, isSum: Bool) -> ChartContent.Row {
            ChartContent.Row(
                cells: [ChartContent.Cell(label), ChartContent.Cell(counts.shown(reader))]
                    + (AdherencePage.columns.map { counts[keyPath: $0.member] } + [counts.onTime, counts.leftOut])
                    .map { ChartContent.Cell(reader.number($0), isNumber: true) },
                isSum: isSum
            )
        }
        tables = [
            ChartContent.Table(
                title: words["adherenceTable"],
                columns: columns,
                rows: adherence.groups.map { row($0.label(grouping, reader), $0.counts, isSum: false) }
                    + [row(words["inAll"], adherence.total, isSum: true)],
                isOpen: adherence.groups.count <= 31,
                moreAddress: nil
            )
        ]
    }

    /// The most bars of the chart.
    private static let bars = 60

    private static var columns: [(name: String, member: KeyPath<Adherence, Int>)] {
        [("taken", \.taken), ("partly", \.partly), ("skipped", \.skipped), ("missed", \.missed)]
    }
}

extension Adherence {
    /// How many doses were taken, such as `26 of 28 (92 %)`.
    fileprivate func shown(_ reader: Reader) -> String {
        guard let percentage else { return reader.words["nothingWasDue"] }
        return reader.words["takenOfSettled", reader.number(taken), reader.number(settled), reader.number(percentage)]
    }
}

extension AdherenceDocument.Group {
    fileprivate func label(_ grouping: AdherenceGrouping, _ reader: Reader) -> String {
        switch grouping {
        case .day: (try? Day(parsing: key)).map(reader.day) ?? key
        case .plan: name ?? key
        case .week, .time: key
        }
    }
}

/// A bar for each group, divided into doses that were taken, partly taken, skipped and missed.
///
/// The parts differ in pattern, and each has its number and its word.
struct AdherenceChart {
    struct Bar {
        let label: String
        let counts: Adherence
        let text: String
    }

    let bars: [Bar]

    private static let (width, row, left, right) = (720.0, 30.0, 150.0, 150.0)

    func svg(_ description: String) -> String? {
        guard !bars.isEmpty else { return nil }
        let height = Double(bars.count) * Self.row + 8
        var parts = [
            "<defs><pattern id=\"stripes\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                + "<rect class=\"bar-a\" width=\"2.5\" height=\"6\"/></pattern></defs>"
        ]
        for (index, bar) in bars.enumerated() {
            let top = Double(index) * Self.row + 6
            parts.append(
                "<text class=\"label\" x=\"\(coordinate(Self.left - 8))\" y=\"\(coordinate(top + 15))\" text-anchor=\"end\">\(HTML.escaped(bar.label))</text>"
            )
            let space = Self.width - Self.left - Self.right
            var start = Self.left
            let counts = bar.counts
            for (style, count) in [
                ("bar-a", counts.taken), ("bar-b", counts.partly),
                ("bar-c", counts.settled - counts.taken - counts.partly),
            ]
            where count > 0 {
                let length = space * Double(count) / Double(counts.settled)
                parts.append(
                    "<rect class=\"\(style)\" x=\"\(coordinate(start))\" y=\"\(coordinate(top))\" width=\"\(coordinate(max(1, length - 1.5)))\" height=\"20\"/>"
                )
                start += length
            }
            parts.append(
                "<text x=\"\(coordinate(Self.width - Self.right + 8))\" y=\"\(coordinate(top + 15))\">\(HTML.escaped(bar.text))</text>"
            )
        }
        return
            "<svg direction=\"ltr\" viewBox=\"0 0 \(coordinate(Self.width)) \(coordinate(height))\" role=\"img\" aria-label=\"\(HTML.escaped(description))\">\(parts.joined())</svg>"
    }
}
