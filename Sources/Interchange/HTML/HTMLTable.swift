/// A table as a self-contained HTML page, for screens (light and dark) and print; without scripts or network access.
package struct HTMLTable: Hashable, Sendable {
    package var title: String
    /// Lines above the table: the record, the moment, and what could not be read.
    package var notes: [String]
    package var columns: [TextTable.Column]
    package private(set) var rows: [[String]] = []

    package init(title: String, notes: [String] = [], columns: [TextTable.Column]) {
        self.title = title
        self.notes = notes
        self.columns = columns
    }

    package mutating func add(_ cells: [String]) {
        rows.append(columns.indices.map { $0 < cells.count ? cells[$0] : "" })
    }

    package func page() -> String {
        var page = Self.head(title)
        for note in notes { page += "<p>\(HTML.escaped(note))</p>\n" }
        page += "<table>\n<thead><tr>"
        for column in columns { page += "<th scope=\"col\"\(mark(column))>\(HTML.escaped(column.title))</th>" }
        page += "</tr></thead>\n<tbody>\n"
        for row in rows {
            page += "<tr>"
            for (column, cell) in zip(columns, row) { page += "<td\(mark(column))>\(HTML.escaped(cell))</td>" }
            page += "</tr>\n"
        }
        return page + "</tbody>\n</table>\n</main>\n</body>\n</html>\n"
    }

    private func mark(_ column: TextTable.Column) -> String {
        column.alignment == .right ? " class=\"number\"" : ""
    }

    /// The content security policy allows only the inline style: a value that was not escaped could still load nothing.
    private static func head(_ title: String) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="referrer" content="no-referrer">
        <title>\(HTML.escaped(title))</title>
        <style>
        :root { color-scheme: light dark; --line: #d8d8d4; --dim: #66665f; }
        @media (prefers-color-scheme: dark) { :root { --line: #3a3a37; --dim: #a3a39b; } }
        body { margin: 0; font: 15px/1.5 system-ui, sans-serif; }
        main { max-width: 80rem; margin: 0 auto; padding: 2rem 1rem; overflow-x: auto; }
        h1 { font-size: 1.4rem; font-weight: 600; margin: 0 0 .5rem; }
        p { margin: 0 0 .25rem; color: var(--dim); }
        table { border-collapse: collapse; width: 100%; margin-top: 1.5rem; }
        th { text-align: left; font-weight: 600; color: var(--dim); }
        th, td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
        td { white-space: pre-line; overflow-wrap: anywhere; }
        .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        thead { display: table-header-group; }
        tr { break-inside: avoid; }
        </style>
        </head>
        <body>
        <main>
        <h1>\(HTML.escaped(title))</h1>

        """
    }
}

/// Escapes text for HTML.
package enum HTML {
    /// Escapes a text for use in an element or in a quoted attribute.
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            // HTML cannot express control characters, and a character that changes the reading direction could forge a
            // row.
            case _ where TerminalText.isUnsafe(scalar): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
