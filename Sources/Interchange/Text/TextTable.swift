/// A table for a terminal, with columns aligned by their width on the screen.
///
/// Every value is escaped on output: a name in a journal cannot move the cursor or forge a row.
package struct TextTable: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package enum Alignment: Sendable {
            case left
            /// For numbers, so that their digits are aligned.
            case right
        }

        package var title: String
        package var alignment: Alignment

        package init(_ title: String, _ alignment: Alignment = .left) {
            self.title = title
            self.alignment = alignment
        }
    }

    package var columns: [Column]
    package private(set) var rows: [[String]] = []

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row; missing cells are empty, and cells beyond the columns are dropped.
    package mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { $0 < cells.count ? TerminalText.escaped(cells[$0]) : "" })
    }

    /// The table with a line feed after each line; empty if there are no columns.
    package func text(_ style: TextStyle = .plain) -> String {
        guard !columns.isEmpty else { return "" }
        let titles = columns.map { TerminalText.escaped($0.title) }
        let widths = columns.indices.map { column in
            rows.reduce(TerminalText.width(titles[column])) { max($0, TerminalText.width($1[column])) }
        }
        var text = style.dim(line(titles, widths)) + "\n"
        for row in rows { text += line(row, widths) + "\n" }
        return text
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var line = ""
        // Spaces are written only before a following cell, so that no line ends with spaces.
        var pending = 0
        for (index, cell) in cells.enumerated() {
            let padding = widths[index] - TerminalText.width(cell)
            let isRight = columns[index].alignment == .right
            if isRight { pending += padding }
            if !cell.isEmpty {
                line += String(repeating: " ", count: pending) + cell
                pending = 0
            }
            pending += (isRight ? 0 : padding) + 2
        }
        return line
    }
}
