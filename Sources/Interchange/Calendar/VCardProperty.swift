import FoundationEssentials
import HealthModel
import Platform

/// A property of a card: its name and parameters in upper case, and its value as it is in the file.
struct VCardProperty {
    let name: String
    /// The values of parameters by their names; those without a name, as vCard 2.1 has them, are of `TYPE`.
    private let parameters: [String: [String]]
    let value: String

    /// Reads a content line without its folds; nil for a line that is no property.
    init?(_ line: String) {
        guard let colon = Self.end(ofHead: line) else { return nil }
        let head = Self.parts(of: line[..<colon], at: ";")
        name = Self.name(of: line)
        guard !name.isEmpty else { return nil }
        var parameters: [String: [String]] = [:]
        for part in head.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let isNamed = halves.count == 2
            let values = Self.parts(of: halves[isNamed ? 1 : 0], at: ",").map { $0.filter { $0 != "\"" } }
            parameters[isNamed ? halves[0].uppercased() : "TYPE", default: []] += values
        }
        self.parameters = parameters
        value = String(line[line.utf8.index(after: colon)...])
    }

    /// The name of the property of a line that is not decoded yet.
    static func name(of line: [UInt8]) -> String {
        name(of: String(decoding: line.prefix(200), as: UTF8.self))
    }

    /// The name of the property of a line, in upper case; empty for a line that is none.
    static func name(of line: String) -> String {
        let end = line.utf8.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
        guard let end else { return "" }
        // The name of a group may be before that of the property.
        return line[..<end].split(separator: ".").last.map { $0.uppercased() } ?? ""
    }

    /// How the value is encoded, in upper case: quoted-printable or base64, as vCard 2.1 has texts that are not ASCII.
    private var encoding: String? {
        let named = (parameters["ENCODING", default: []] + parameters["TYPE", default: []]).map { $0.uppercased() }
        return named.first { ["QUOTED-PRINTABLE", "BASE64", "B"].contains($0) }
    }

    /// Returns a content line as text: its value in the encoding that it names, as UTF-8, or else as Windows has it in western
    /// Europe.
    ///
    /// A value in quoted-printable is left as it is. Throws if the value is not in the encoding that the line names.
    static func text(of line: [UInt8]) throws(ModelError) -> String {
        if let text = String(validating: line, as: UTF8.self),
            line.allSatisfy({ $0 < 0x80 }) || charset(of: text) == nil
        {
            return text
        }
        let head = String(decoding: line.prefix { $0 < 0x80 && $0 != UInt8(ascii: ":") }, as: UTF8.self)
        let value = Array(line.dropFirst(head.utf8.count))
        guard let charset = charset(of: head) else { return try CSVEncoding.windows1252.decode(line) }
        guard let text = CharacterEncoding.decode(value, as: charset) else {
            throw ModelError(.invalid, field: name(of: line), "is not text in the encoding that it names")
        }
        return head + text
    }

    /// The encoding that the parameters of a line name; nil for none, and for UTF-8.
    private static func charset(of line: String) -> String? {
        let head = line.utf8.prefix(1_000).prefix { $0 != UInt8(ascii: ":") }
        for part in String(Substring(head)).uppercased().split(separator: ";") where part.hasPrefix("CHARSET=") {
            let name = part.dropFirst("CHARSET=".count).filter { $0 != "\"" }
            return ["UTF-8", "UTF8", "US-ASCII"].contains(name) ? nil : String(name)
        }
        return nil
    }

    /// What the value is of, such as `work`, in lower case.
    var types: [String] { parameters["TYPE", default: []].map { $0.lowercased() } }

    /// Whether it is preferred over others of its name.
    var isPreferred: Bool { types.contains("pref") || parameters["PREF"]?.first == "1" }

    /// The text of an address, with the escapes of parameters (RFC 6868).
    var label: String? {
        guard let text = parameters["LABEL"]?.joined(separator: ",") else { return nil }
        return Self.replacing("^", in: text) { $0 == "n" ? "\n" : $0 == "'" ? "\"" : $0 == "^" ? "^" : nil }
    }

    /// The value as a text.
    var text: String { Self.unescaped(decoded(value)) }

    /// The components of a value that has several, such as an address.
    var components: [String] {
        var parts: [String] = []
        var part = String.UnicodeScalarView()
        var isEscaped = false
        // A semicolon that is encoded in quoted-printable is a part of its component.
        let isBase64 = encoding != nil && encoding != "QUOTED-PRINTABLE"
        for scalar in (isBase64 ? decoded(value) : value).unicodeScalars {
            if scalar == ";", !isEscaped {
                parts.append(String(part))
                part = .init()
            } else {
                part.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return (parts + [String(part)]).map { Self.unescaped(isBase64 ? $0 : decoded($0)) }
    }

    private func decoded(_ value: String) -> String {
        let bytes: [UInt8]
        switch encoding {
        case "QUOTED-PRINTABLE": bytes = Self.quotedPrintable(value)
        case .some:
            bytes = Data(base64Encoded: value.filter { !$0.isWhitespace }).map { [UInt8]($0) } ?? Array(value.utf8)
        case nil: return value
        }
        let charset = parameters["CHARSET"]?.first.map { $0.uppercased() }
        let named = charset.flatMap { CharacterEncoding.decode(bytes, as: $0) }
        let text = named ?? (try? CSVEncoding(guessing: bytes).decode(bytes)) ?? value
        return text.withUnixLines
    }

    private static func quotedPrintable(_ value: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(value.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "="), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func unescaped(_ value: String) -> String {
        replacing("\\", in: value) { $0 == "n" || $0 == "N" ? "\n" : $0 }
    }

    /// Replaces each pair of `mark` and a letter by what `meaning` returns for the letter; a pair without one stays.
    private static func replacing(
        _ mark: Unicode.Scalar,
        in text: String,
        _ meaning: (Unicode.Scalar) -> Unicode.Scalar?
    ) -> String {
        var plain = String.UnicodeScalarView()
        var isMarked = false
        for scalar in text.unicodeScalars {
            if isMarked {
                if let found = meaning(scalar) {
                    plain.append(found)
                } else {
                    plain.append(contentsOf: [mark, scalar])
                }
                isMarked = false
            } else if scalar == mark {
                isMarked = true
            } else {
                plain.append(scalar)
            }
        }
        if isMarked { plain.append(mark) }
        return String(plain)
    }

    /// The place of the colon before the value: the first one that is not in quotation marks.
    private static func end(ofHead line: String) -> String.Index? {
        var isQuoted = false
        return line.utf8.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ":") && !isQuoted
        }
    }

    /// The parts between the marks that are not in quotation marks.
    private static func parts(of text: Substring, at mark: Unicode.Scalar) -> [Substring] {
        var isQuoted = false
        return text.utf8
            .split(omittingEmptySubsequences: false) { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return byte == UInt8(ascii: mark) && !isQuoted
            }
            .map { Substring($0) }
    }
}
