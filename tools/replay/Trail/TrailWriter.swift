import Foundation
import Interchange

/// Writes rows as they arrive where the format permits it, otherwise all at the end.
struct TrailWriter {
    /// The number of rows whose columns are aligned with one another; after them the header is repeated.
    private static let tableLength = 1_000
    /// The maximum length of a value in a table.
    private static let longestValue = 60

    private let output: ReplayOutput
    private let format: TrailFormat
    private let zone: TimeZone
    private var table = TextTable(TrailRow.columns)
    private var page: HTMLTable
    /// Whether no row was added.
    private(set) var isEmpty = true

    init(_ output: ReplayOutput, _ format: TrailFormat, title: String, in zone: TimeZone) throws {
        self.output = output
        self.format = format
        self.zone = zone
        page = HTMLTable(title: title, columns: TrailRow.columns)
        if format == .csv { try output.write(CSVTable.line(TrailRow.csvColumns)) }
    }

    mutating func add(_ row: TrailRow) throws {
        isEmpty = false
        switch format {
        case .json: try output.json(row.json, .compact)
        case .csv: try output.write(CSVTable.line(row.csvCells))
        case .html: page.add(row.cells(in: zone))
        case .table:
            table.add(row.cells(longest: TrailWriter.longestValue, in: zone))
            if table.rows.count >= TrailWriter.tableLength { try flush() }
        }
    }

    mutating func finish(notes: [String]) throws {
        switch format {
        case .html:
            page.notes = notes
            try output.write(page.page())
        case .table:
            if !table.rows.isEmpty { try flush() }
        case .json, .csv:
            break
        }
        try output.flush()
    }

    private mutating func flush() throws {
        try output.table(table)
        table = TextTable(TrailRow.columns)
    }
}
