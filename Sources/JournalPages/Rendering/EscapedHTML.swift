internal import Interchange
internal import Mustache

/// Escapes text for HTML scalar by scalar.
///
/// The library escapes by characters and leaves a quote that carries a combining accent: a single character to Swift,
/// but for a browser the quote ends an attribute.
struct EscapedHTML: MustacheContentType {
    static let name = "ESCAPED_HTML"

    func escapeText(_ text: String) -> String { HTML.escaped(text) }
}
