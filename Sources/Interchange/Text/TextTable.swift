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
        /// The width that the column has at least, for tables that are printed row by row.
        package var minimumWidth: Int

        package init(_ title: String, _ alignment: Alignment = .left, minimumWidth: Int = 0) {
            self.title = title
            self.alignment = alignment
            self.minimumWidth = minimumWidth
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
    ///
    /// If it is wider than the style permits, each row begins with as many columns as fit. The other cells follow on
    /// lines of their own with their titles, and empty ones are left out. If only the last column is too wide, it is broken
    /// into lines instead.
    package func text(_ style: TextStyle = .plain, hasTitles: Bool = true) -> String {
        guard !columns.isEmpty else { return "" }
        let titles = columns.map { TerminalText.escaped($0.title) }
        let widths = columns.indices.map { column in
            rows.reduce(max(columns[column].minimumWidth, hasTitles ? TerminalText.width(titles[column]) : 0)) {
                max($0, TerminalText.width($1[column]))
            }
        }
        let fitting = columnsFitting(in: style.width ?? .max, widths)
        let used = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        let isLastBroken =
            fitting == columns.count - 1 && columns[fitting].alignment == .left
            && (style.width ?? 0) - used >= TextTable.readable
        let first = titles.prefix(isLastBroken ? columns.count : fitting)
        var text = hasTitles ? style.dim(line(first, widths)) + "\n" : ""
        for row in rows {
            if isLastBroken, let width = style.width, let last = row.last {
                text += broken(row.dropLast(), last, at: used, width, widths)
                continue
            }
            text += line(row.prefix(fitting), widths) + "\n"
            guard fitting < columns.count, let width = style.width else { continue }
            let rest = columns.indices.dropFirst(fitting).filter { !row[$0].isEmpty }
            let cells = rest.map { "\(titles[$0].lowercased()): \(row[$0])" }
            for line in TextFlow.lines(cells, width: width - TextTable.indent.count) {
                text += TextTable.indent + line + "\n"
            }
        }
        return text
    }

    private static let indent = "    "

    /// The narrowest column in which text is still easy to read.
    private static let readable = 24

    /// Returns a row whose last cell is broken into lines in its column.
    private func broken(_ cells: ArraySlice<String>, _ last: String, at place: Int, _ width: Int, _ widths: [Int])
        -> String
    {
        let lines = TextFlow.lines([last], width: width - place)
        var text = line(cells + [lines.first ?? ""], widths) + "\n"
        for more in lines.dropFirst() { text += String(repeating: " ", count: place) + more + "\n" }
        return text
    }

    /// The number of columns, at least one, that fit into a width.
    private func columnsFitting(in width: Int, _ widths: [Int]) -> Int {
        var (count, used) = (0, 0)
        for column in widths {
            used += column + (count > 0 ? 2 : 0)
            if used > width, count > 0 { break }
            count += 1
        }
        return count
    }

    private func line(_ cells: ArraySlice<String>, _ widths: [Int]) -> String {
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
