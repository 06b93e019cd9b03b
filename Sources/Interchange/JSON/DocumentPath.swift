/// A path to a value in a document, such as `weightEntries[3].weightKg`.
package struct DocumentPath: Hashable, Sendable {
    package private(set) var text: String

    package init(_ text: String = "") {
        self.text = text
    }

    /// Appends a member name; since it comes from the document, it is shortened and made printable.
    package func appending(_ name: String) -> DocumentPath {
        let shown = Self.printable(name)
        return DocumentPath(text.isEmpty ? shown : "\(text).\(shown)")
    }

    package func appending(_ index: Int) -> DocumentPath {
        DocumentPath("\(text)[\(index)]")
    }

    /// The path for an error; nil for the document itself.
    package var field: String? { text.isEmpty ? nil : text }

    private static func printable(_ name: String) -> String {
        var shown = ""
        for scalar in name.unicodeScalars.prefix(64) {
            shown.unicodeScalars.append(TerminalText.isUnsafe(scalar) ? "\u{FFFD}" : scalar)
        }
        return name.unicodeScalars.count > 64 ? shown + "…" : shown
    }
}

extension DocumentPath: CustomStringConvertible {
    package var description: String { text }
}
