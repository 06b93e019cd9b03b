internal import FoundationEssentials
internal import HealthModel

/// One or more charts, and the same numbers as tables.
package struct ChartContent: Sendable {
    package struct Chart: Sendable {
        package let caption: String?
        package let svg: String
        package let legend: String?
    }

    package struct Table: Sendable {
        package let title: String
        package let columns: [Column]
        package let rows: [Row]
        package let isOpen: Bool
        /// The address of the remaining rows.
        package let moreAddress: String?
    }

    package struct Column: Sendable {
        package let label: String
        package let isNumber: Bool

        init(_ label: String, isNumber: Bool = false) {
            self.label = label
            self.isNumber = isNumber
        }
    }

    package struct Row: Sendable {
        package let cells: [Cell]
        package let isSum: Bool
    }

    package struct Cell: Sendable {
        package let text: String
        package let address: String?
        package let isNumber: Bool

        init(_ text: String, address: String? = nil, isNumber: Bool = false) {
            self.text = text
            self.address = address
            self.isNumber = isNumber
        }
    }

    /// Another unit or another series of values that can be shown.
    package struct Choice: Sendable {
        package let address: String
        package let label: String
        package let isCurrent: Bool
    }
}

extension ChartContent {
    /// The maximum number of values in a table.
    package static let rows = 60

    /// Returns the chart with its legend; empty where there is nothing to draw.
    static func charts(
        _ chart: ValueChart,
        caption: String? = nil,
        _ reader: Reader,
        describing: (ValueChart.Extent) -> String
    ) -> [Chart] {
        guard let svg = chart.svg(reader, describing: describing) else { return [] }
        let hasCorrections = chart.lines.contains { $0.points.contains { !$0.before.isEmpty } }
        let legend = [
            chart.band.flatMap { reader.range(of: $0.result) }.map { reader.words["bandLegend", $0] },
            hasCorrections ? reader.words["correctionLegend"] : nil, chart.note(ofOutliers: reader),
        ]
        .compactMap(\.self)
        return [Chart(caption: caption, svg: svg, legend: legend.isEmpty ? nil : legend.joined(separator: " "))]
    }

    /// Returns the newest values as a table, with the values before corrections; empty without entries.
    ///
    /// `address` is that of the kind, and `all` that of the page with all of its entries.
    static func tables(
        _ title: String,
        _ entries: [EntryState],
        before: [UUID: [EntryContent]],
        at address: String,
        all: String,
        _ reader: Reader,
        text: (EntryContent) -> String?
    ) -> [Table] {
        if entries.isEmpty { return [] }
        let words = reader.words
        let rows = entries.prefix(rows)
            .map { entry in
                Row(
                    cells: [
                        Cell(entry.content.date.map(reader.occurred) ?? words["noDate"]),
                        Cell(
                            text(entry.content) ?? words["nothingSaid"],
                            address: "\(address)/\(entry.id.text)",
                            isNumber: true
                        ),
                        Cell((before[entry.id] ?? []).compactMap(text).joined(separator: ", "), isNumber: true),
                        Cell(reader.day(of: (entry.corrected ?? entry.added).recordedAt)),
                    ],
                    isSum: false
                )
            }
        let columns = [
            Column(words["date"]), Column(words["value"], isNumber: true), Column(words["before"], isNumber: true),
            Column(words["recordedColumn"]),
        ]
        return [
            Table(
                title: title,
                columns: columns,
                rows: rows,
                isOpen: rows.count <= 24,
                moreAddress: entries.count > rows.count ? all : nil
            )
        ]
    }
}
