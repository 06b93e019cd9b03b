internal import Mustache

/// All that the pages say by themselves, in one language; each text under a name.
///
/// The file has a line for each: the name, an equals sign, the text. In a text `{0}`, `{1}` stand for what is put in.
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

    /// A text; its name where there is none, which a test finds.
    package subscript(name: String) -> String { texts[name] ?? name }

    /// A text with something put in.
    package subscript(name: String, parts: String...) -> String { Words.filled(self[name], parts) }

    /// A number of things, in the form that the number asks for.
    package func count(_ number: Int, _ name: String, _ shown: String) -> String {
        Words.filled(self[number == 1 ? "\(name).one" : "\(name).many"], [shown])
    }

    /// In one go: what is put in may hold braces of its own.
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

/// A line of the file that is no text with a name of its own.
package struct MalformedWords: Error, Hashable, CustomStringConvertible {
    package let line: Int
    package var description: String { "line \(line) of the words has no name of its own, or no text" }
}

extension Words: MustacheParent {
    package func child(named name: String) -> Any? { texts[name] }
}
