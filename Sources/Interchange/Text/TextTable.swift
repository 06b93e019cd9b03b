/// A table for a terminal, its columns aligned by what they take on the screen.
///
/// Every value is escaped on its way out: a name in a journal cannot move the cursor or forge a row.
package struct TextTable: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package enum Alignment: Sendable {
            case left
            /// For numbers, so that their digits stand under one another.
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

    /// Adds a row; cells that are missing are empty, and cells beyond the columns are not shown.
    package mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { $0 < cells.count ? TerminalText.escaped(cells[$0]) : "" })
    }

    /// The table with a line feed behind each line; empty where there is no column.
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
        // Spaces that a right-hand neighbour will need, written only once there is one: no line ends in spaces.
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
