/// Where in a document something stands: `weightEntries[3].weightKg`.
package struct DocumentPath: Hashable, Sendable {
    package private(set) var text: String

    package init(_ text: String = "") {
        self.text = text
    }

    /// A name comes from the document, so that a hostile one is cut and made printable.
    package func appending(_ name: String) -> DocumentPath {
        let shown = Self.printable(name)
        return DocumentPath(text.isEmpty ? shown : "\(text).\(shown)")
    }

    package func appending(_ index: Int) -> DocumentPath {
        DocumentPath("\(text)[\(index)]")
    }

    /// What an error carries: nothing for the document itself.
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
