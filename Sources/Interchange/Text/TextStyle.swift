/// The style of a table on a terminal.
///
/// The caller that owns the terminal chooses it; a table only applies it.
package struct TextStyle: Hashable, Sendable {
    /// Whether headers are dimmed by an ANSI sequence.
    package var hasColor: Bool
    /// The columns in which a table must fit; nil for any number.
    package var width: Int?

    package static let plain = TextStyle(hasColor: false)
    package static let color = TextStyle(hasColor: true)

    /// The smallest width that a table respects.
    package static let minimumWidth = 40

    package init(hasColor: Bool, width: Int? = nil) {
        self.hasColor = hasColor
        self.width = width.map { max($0, TextStyle.minimumWidth) }
    }

    /// Uses color on a terminal, unless `NO_COLOR` is set to a non-empty value (no-color.org) or the terminal is dumb.
    ///
    /// Tables fit into `COLUMNS` if that is set, else into the `columns` of the terminal. With `isWide`, and where neither
    /// is known, such as in a pipe, each row is one line.
    package init(environment: [String: String], isTerminal: Bool, columns: Int? = nil, isWide: Bool = false) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let stated = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        self.init(
            hasColor: isTerminal && !isRefused && environment["TERM"] != "dumb",
            width: isWide ? nil : stated ?? columns
        )
    }

    func dim(_ text: String) -> String {
        hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    }
}
