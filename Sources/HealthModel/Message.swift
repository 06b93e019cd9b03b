/// A message for a person: a text in English with the parts that vary.
///
/// A string literal is a message; each interpolation is a part. The text with `{0}`, `{1}` and so on in place of the parts
/// is the key by which a language file translates it:
///
///     let message: Message = "must be at most \(limit) bytes long"
///     message.key          // must be at most {0} bytes long
///     "\(message)"         // must be at most 200 bytes long
package struct Message: Hashable, Sendable {
    /// A part of a message that varies.
    package enum Part: Hashable, Sendable {
        /// A value, a name, or a word that may have a translation of its own.
        case text(String)
        case message(Message)
    }

    /// The text in English, with a number in braces in place of each part.
    package let key: String
    package let parts: [Part]

    /// Creates a message from a text that is shown as it is, such as the answer of another program.
    package init(verbatim text: String) {
        (key, parts) = (text, [])
    }
}

extension Message: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) {
        (key, parts) = (value, [])
    }

    package init(stringInterpolation: StringInterpolation) {
        (key, parts) = (stringInterpolation.key, stringInterpolation.parts)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            key.reserveCapacity(literalCapacity + 3 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { key += literal }

        package mutating func appendInterpolation(_ message: Message) { append(.message(message)) }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        package mutating func appendInterpolation(_ error: any Error) { append(.text("\(error)")) }

        private mutating func append(_ part: Part) {
            key += "{\(parts.count)}"
            parts.append(part)
        }
    }
}

extension Message: CustomStringConvertible {
    /// The text in English.
    package var description: String { Message.filled(key, with: parts.map(\.description)) }

    /// A text with `{0}`, `{1}` and so on replaced by parts; what names no part stays.
    package static func filled(_ text: String, with parts: [String]) -> String {
        guard !parts.isEmpty else { return text }
        var filled = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            filled += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"), let number = Int(rest[rest.index(after: open)..<close]),
                parts.indices.contains(number)
            else {
                filled.append("{")
                rest = rest.dropFirst()
                continue
            }
            filled += parts[number]
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}

extension Message.Part: CustomStringConvertible {
    package var description: String {
        switch self {
        case .text(let text): text
        case .message(let message): message.description
        }
    }
}
