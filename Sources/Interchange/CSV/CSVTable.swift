package import HealthModel

/// The entries of a record as a CSV table (RFC 4180): a header, one row for each entry, one column for each field.
///
/// All kinds share one table. Its columns are the union of the kinds' fields; fields of the same name share a column.
/// Values are written unchanged, and quoted where necessary. A table for spreadsheets has an apostrophe before each value that
/// a spreadsheet would compute as a formula, and begins with a byte order mark, without which some read it as Latin-1.
package struct CSVTable: Sendable {
    private let columns: [String]
    private let paths: [Kind: [String: FieldPath]]
    private let isForSpreadsheets: Bool

    /// Creates a table for entries of some kinds, which determine its columns.
    package init(kinds: some Collection<Kind>, isForSpreadsheets: Bool = false) {
        self.isForSpreadsheets = isForSpreadsheets
        var columns: [String] = []
        for name in kinds.flatMap({ $0.fields.leaves.map(\.name) }) where !columns.contains(name) {
            columns.append(name)
        }
        self.columns = columns
        paths = Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                (kind, Dictionary(kind.fields.leaves.map { ($0.name, $0) }) { first, _ in first })
            }
        )
    }

    package static func write(_ state: RecordState, scope: ExportScope = ExportScope()) -> String {
        let entries = Dictionary(grouping: state.entries.lazy.filter(scope.includes), by: \.content.kind)
        let kinds = Kind.all.filter { entries[$0] != nil }
        let table = CSVTable(kinds: kinds)
        return table.header + kinds.flatMap { entries[$0] ?? [] }.map(table.row).joined()
    }

    package var header: String {
        (isForSpreadsheets ? "\u{FEFF}" : "")
            + CSVTable.line(["kind", "id", "date"] + columns + ["comment", "addedAt", "position"])
    }

    package func row(_ entry: EntryState) -> String {
        let content = entry.content
        let paths = paths[content.kind] ?? [:]
        let values = columns.map { name in paths[name].flatMap { content.body[$0]?.text } ?? "" }
        let head = [content.kind.name, entry.id.text, content.date?.description ?? ""]
        let tail = [content.comment, entry.added.recordedAt.description, String(entry.latest.position)]
        let cells = head + values + tail
        return CSVTable.line(isForSpreadsheets ? cells.map(CSVTable.harmless) : cells)
    }

    /// One line with its line break, for any table.
    package static func line(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\r\n"
    }

    /// Returns a value that no spreadsheet takes for a formula; a number keeps its sign.
    ///
    /// Where semicolons or tabs separate cells, a formula could begin behind one of them, too.
    static func harmless(_ cell: String) -> String {
        if (try? ExactDecimal(parsing: cell)) != nil { return cell }
        var text = ""
        var isFirst = true
        for scalar in cell.unicodeScalars {
            if isFirst, formulas.contains(scalar) { text += "'" }
            text.unicodeScalars.append(scalar)
            isFirst = separators.contains(scalar)
        }
        return text
    }

    /// The characters with which a formula begins, also in full width.
    private static let formulas: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"]
    private static let separators: Set<Unicode.Scalar> = [";", "\t", "\n", "\r"]

    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        // Spaces at either end are part of the value, and some readers trim unquoted values.
        guard needsQuotes || cell.utf8.first == 0x20 || cell.utf8.last == 0x20 else { return cell }
        var quoted = "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
