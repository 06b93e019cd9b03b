internal import Mustache

/// All texts of the pages in one language, by name.
///
/// Each line of the file contains a name, ` = ` and a text. In a text, `{0}` and `{1}` are placeholders.
package struct Words: Sendable {
    package let texts: [String: String]

    package init(parsing bytes: [UInt8]) throws(MalformedWords) {
        var texts: [String: String] = [:]
        for (index, line) in String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let gap = line.firstRange(of: " = ") else { throw MalformedWords(line: index + 1) }
            guard texts.updateValue(String(line[gap.upperBound...]), forKey: String(line[..<gap.lowerBound])) == nil
            else {
                throw MalformedWords(line: index + 1)
            }
        }
        self.texts = texts
    }

    /// Returns a text, or its name if there is none, which a test detects.
    package subscript(name: String) -> String { texts[name] ?? name }

    /// Returns a text with its placeholders replaced.
    package subscript(name: String, parts: String...) -> String { Words.filled(self[name], parts) }

    /// Returns a text with a count, in its singular or plural form.
    package func count(_ number: Int, _ name: String, _ shown: String) -> String {
        Words.filled(self[number == 1 ? "\(name).one" : "\(name).many"], [shown])
    }

    /// Replaces all placeholders in one pass, because the inserted parts may contain braces.
    private static func filled(_ text: String, _ parts: [String]) -> String {
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            if let index = Int(rest[rest.index(after: open)..<close]), parts.indices.contains(index) {
                filled += parts[index]
            } else {
                filled += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}

/// A line of the file without a text or without a unique name.
package struct MalformedWords: Error, Hashable, CustomStringConvertible {
    package let line: Int
    package var description: String { "line \(line) of the words file has no unique name, or no text" }
}

extension Words: MustacheParent {
    package func child(named name: String) -> Any? { texts[name] }
}
