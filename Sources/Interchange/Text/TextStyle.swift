/// The style of a table on a terminal.
///
/// The caller that owns the terminal chooses it; a table only applies it.
package struct TextStyle: Hashable, Sendable {
    /// Whether headers are dimmed by an ANSI sequence.
    package var hasColor: Bool

    package static let plain = TextStyle(hasColor: false)
    package static let color = TextStyle(hasColor: true)

    package init(hasColor: Bool) {
        self.hasColor = hasColor
    }

    /// Uses color on a terminal, unless `NO_COLOR` is set to a non-empty value (no-color.org) or the terminal is dumb.
    package init(environment: [String: String], isTerminal: Bool) {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        hasColor = isTerminal && !isRefused && environment["TERM"] != "dumb"
    }

    func dim(_ text: String) -> String {
        hasColor ? "\u{1B}[2m\(text)\u{1B}[0m" : text
    }
}
