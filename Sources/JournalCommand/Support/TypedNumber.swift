import Foundation

/// Numbers as people type them in a terminal.
enum TypedNumber {
    /// Whether the terminal's locale has a decimal comma, or at least does not group thousands by commas.
    private static let hasDecimalComma: Bool = {
        guard let tag = TerminalLanguage.numbers(ProcessEnvironment.variables) else { return false }
        return Locale(identifier: tag).groupingSeparator != ","
    }()

    /// Whether a number may be thousands or a fraction: `1.000`, and with a decimal comma also `1.234`.
    static func isAmbiguous(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: /[1-9]\d{0,2}\.(\d{3})/) else { return false }
        return hasDecimalComma || match.1 == "000"
    }

    /// Returns a number with a point in place of a decimal comma, if it is one in any locale: `1,5` and `0,075`, but not
    /// `1,500`.
    static func decimal(_ text: String) -> String {
        let isDecimal = hasDecimalComma || text.wholeMatch(of: /0,\d+|\d+,(\d{1,2}|\d{4,})/) != nil
        return isDecimal && text.filter({ $0 == "," }).count == 1 ? text.replacing(",", with: ".") : text
    }

    /// Returns a number with a point in place of a single decimal comma, if the terminal's locale has one.
    static func plain(_ text: String) -> String {
        guard hasDecimalComma, !text.contains("."), text.filter({ $0 == "," }).count == 1 else { return text }
        return text.replacing(",", with: ".")
    }
}
