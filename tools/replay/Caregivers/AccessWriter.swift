import ArgumentParser
import Foundation
import Interchange

/// The output format of a list of reads.
enum AccessFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
}

/// Writes reads of a record as they are found where the format permits it, otherwise all at the end.
struct AccessWriter {
    private let output: ReplayOutput
    private let format: AccessFormat
    private let zone: TimeZone
    private var table: TextTable
    private var rows: [JSONValue] = []

    init(_ output: ReplayOutput, _ format: AccessFormat, hasEntry: Bool, in zone: TimeZone) throws {
        self.output = output
        self.format = format
        self.zone = zone
        table = TextTable(
            [
                .init("POSITION", .right), .init("RECORDED"), .init("ACCOUNT"), .init("OUTCOME"), .init("ACTION"),
                .init("SECTIONS"), .init("ENTRIES", .right), .init("AS OF"), .init("ACCESS"), .init("PURPOSE"),
            ] + (hasEntry ? [.init("ENTRY")] : [])
        )
        if format == .csv { try output.write(CSVTable.line(AccessRow.columns)) }
    }

    mutating func add(_ row: AccessRow, _ names: ShownNames) throws {
        switch format {
        case .table: table.add(row.cells(names, in: zone))
        case .json: rows.append(row.json(names))
        case .csv: try output.write(CSVTable.line(row.csvCells(names)))
        }
    }

    func finish(ifEmpty remark: String) throws {
        switch format {
        case .table:
            if table.rows.isEmpty { Messages.say(remark) } else { try output.table(table) }
        case .json:
            try output.json(.array(rows))
        case .csv:
            try output.flush()
        }
    }
}
