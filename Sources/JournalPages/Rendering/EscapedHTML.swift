internal import Interchange
internal import Mustache

/// Makes a text harmless by its scalars.
///
/// The library's own way goes by characters, and leaves a quote alone that has an accent on it: to a reader one character,
/// to a browser the end of an attribute and an accent.
struct EscapedHTML: MustacheContentType {
    static let name = "ESCAPED_HTML"

    func escapeText(_ text: String) -> String { HTML.escaped(text) }
}
