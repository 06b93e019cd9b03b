package import HealthModel

/// The entries of a record as RFC 4180 has a table: a header, one row an entry, every column described by a field.
///
/// The table is long: one for all kinds, its columns the union of theirs, a field of the same name in two kinds one
/// column. Values are written as they are, and quoted where they must be: a table that changed `-3.5` or `=1` to keep a
/// spreadsheet from computing it would no longer say what the journal says. Open it as text where that matters.
package enum CSVTable {
    package static func write(_ state: RecordState, scope: ExportScope = ExportScope()) -> String {
        let entries = state.entries.filter(scope.includes)
        let present = Set(entries.map(\.content.kind))
        let kinds = Kind.all.filter(present.contains)
        var columns: [String] = []
        for name in kinds.flatMap({ $0.fields.leaves.map(\.name) }) where !columns.contains(name) {
            columns.append(name)
        }

        var table = line(["kind", "id", "date"] + columns + ["comment", "addedAt", "position"])
        for kind in kinds {
            let paths = Dictionary(kind.fields.leaves.map { ($0.name, $0) }) { first, _ in first }
            for entry in entries where entry.content.kind == kind {
                let values = columns.map { name in
                    paths[name].flatMap { entry.content.body[$0]?.text } ?? ""
                }
                let head = [kind.name, entry.id.text, entry.content.date?.description ?? ""]
                let tail = [entry.content.comment, entry.added.recordedAt.description, String(entry.latest.position)]
                table += line(head + values + tail)
            }
        }
        return table
    }

    /// One line with its end, for any table.
    package static func line(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\r\n"
    }

    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        // Spaces at either end are part of the value, and some readers trim what is not quoted.
        guard needsQuotes || cell.utf8.first == 0x20 || cell.utf8.last == 0x20 else { return cell }
        var quoted = "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }
}
