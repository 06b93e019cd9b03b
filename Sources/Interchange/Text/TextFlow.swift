/// Breaks text into lines of a terminal.
enum TextFlow {
    /// Returns items one after another, two spaces apart, in lines of at most `width` columns.
    ///
    /// An item that is wider than a line is broken between words, and a word that is wider is broken anywhere.
    static func lines(_ items: [String], width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        for item in items {
            let joined = current.isEmpty ? item : "\(current)  \(item)"
            if TerminalText.width(joined) <= width {
                current = joined
                continue
            }
            if !current.isEmpty { lines.append(current) }
            var parts = wrapped(item, width: width)
            current = parts.popLast() ?? ""
            lines += parts
        }
        if !current.isEmpty { lines.append(current) }
        return lines
    }

    /// Returns one text in lines; those after the first one are indented.
    private static func wrapped(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        for word in text.split(separator: " ") {
            for piece in pieces(word, width: width - indent.count) {
                let joined = current.isEmpty ? piece : "\(current) \(piece)"
                if TerminalText.width(joined) <= width {
                    current = joined
                } else {
                    lines.append(current)
                    current = indent + piece
                }
            }
        }
        return lines + [current]
    }

    private static let indent = "  "

    /// Returns a word, or the parts of one that is wider than a line.
    private static func pieces(_ word: Substring, width: Int) -> [String] {
        guard TerminalText.width(String(word)) > width else { return [String(word)] }
        var pieces: [String] = []
        var (current, used) = ("", 0)
        for character in word {
            let size = TerminalText.width(String(character))
            if used + size > width {
                pieces.append(current)
                (current, used) = ("", 0)
            }
            current.append(character)
            used += size
        }
        return pieces + [current]
    }
}
