import Foundation

/// Numbers as people type them in a terminal.
enum TypedNumber {
    /// Whether the terminal's locale has a decimal comma, or at least does not group thousands by commas.
    private static let hasDecimalComma: Bool = {
        guard let tag = TerminalLanguage.numbers(ProcessEnvironment.variables) else { return false }
        return Locale(identifier: tag).groupingSeparator != ","
    }()

    /// Returns a number with a point in place of a single decimal comma, if the terminal's locale has one.
    static func plain(_ text: String) -> String {
        guard hasDecimalComma, !text.contains("."), text.filter({ $0 == "," }).count == 1 else { return text }
        return text.replacing(",", with: ".")
    }
}
