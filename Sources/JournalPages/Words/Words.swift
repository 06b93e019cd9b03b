internal import HealthModel
internal import Mustache

/// All texts of the pages in one language, by name.
///
/// Each line of the file contains a name, ` = ` and a text. In a text, `{0}` and `{1}` are placeholders. Four texts
/// describe the language itself: `languageTag` (BCP 47), `languageName`, `direction` (`ltr` or `rtl`) and
/// `singularNumbers`, the numbers for which the singular is used.
package struct Words: Sendable {
    package let texts: [String: String]
    private let singular: Set<Int>
    let messages: MessageTemplates

    /// Parses a file of texts; a text that `base` has and the file lacks is that of `base`.
    package init(parsing bytes: [UInt8], completedBy base: Words? = nil) throws(MalformedWords) {
        let own = try Words.texts(in: bytes)
        texts = (base?.texts ?? [:]).merging(own) { _, own in own }
        messages = MessageTemplates(texts)
        singular = Set((texts["singularNumbers"] ?? "1").split(separator: " ").compactMap { Int($0) })
    }

    /// Returns the texts of a file, by name.
    package static func texts(in bytes: [UInt8]) throws(MalformedWords) -> [String: String] {
        var texts: [String: String] = [:]
        guard let file = String(validating: bytes, as: UTF8.self) else { throw MalformedWords(line: 1) }
        // Some editors end lines with CRLF, and begin a file with a byte order mark.
        let lines = file.drop { $0 == "\u{FEFF}" }.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let gap = line.firstRange(of: " = ") else { throw MalformedWords(line: index + 1) }
            guard texts.updateValue(String(line[gap.upperBound...]), forKey: String(line[..<gap.lowerBound])) == nil
            else {
                throw MalformedWords(line: index + 1)
            }
        }
        return texts
    }

    /// The BCP 47 tag of the language, such as `de`.
    package var tag: String { self["languageTag"] }

    /// Returns a text, or its name if there is none, which a test detects.
    package subscript(name: String) -> String { texts[name] ?? name }

    /// Returns a label of the model, such as that of a kind, a field or an event type, in this language.
    ///
    /// Labels are named by their English text. A label of several parts, such as `Rules 1, From`, is translated part by
    /// part.
    package func label(_ english: String) -> String {
        if let text = texts[Words.labelName(english)] { return text }
        let parts = english.split(separator: ", ")
            .map { part in
                var stem = part.prefix { !$0.isNumber }
                while stem.last == " " { stem.removeLast() }
                guard let text = texts[Words.labelName(String(stem))] else { return String(part) }
                return text + part.dropFirst(stem.count)
            }
        return parts.joined(separator: ", ")
    }

    /// The name of the text for a label of the model.
    package static func labelName(_ english: String) -> String { "label.\(english)" }

    /// Returns a text with its placeholders replaced.
    package subscript(name: String, parts: String...) -> String { Words.filled(self[name], parts) }

    /// Returns a text with a count, in its singular or plural form.
    package func count(_ number: Int, _ name: String, _ shown: String) -> String {
        Words.filled(self[singular.contains(number) ? "\(name).one" : "\(name).many"], [shown])
    }

    /// The placeholders of a text, sorted.
    static func placeholders(in text: String) -> [String] {
        text.matches(of: /\{\d\}/).map { String($0.output) }.sorted()
    }

    /// Whether a unit behind an amount is in the singular: up to 1, or below 2 in a language with a singular for 0.
    func isSingular(_ amount: ExactDecimal) -> Bool {
        singular.contains(0) ? amount < ExactDecimal(coefficient: 2, scale: 0) : AmountText.isOne(amount)
    }

    /// Replaces all placeholders in one pass, because the inserted parts may contain braces.
    static func filled(_ text: String, _ parts: [String]) -> String {
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
