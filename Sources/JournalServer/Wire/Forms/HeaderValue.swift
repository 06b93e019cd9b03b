import HealthJournal
import HealthModel

/// A header's value and its parameters, such as `form-data; name="file"`.
struct HeaderValue {
    /// The text before the parameters, in lower case.
    let value: String
    private let parameters: [String: String]

    init(_ text: String) throws(JournalError) {
        var rest = Array(text.utf8)[...]
        value = String(decoding: rest.take { $0 != Byte.semicolon }, as: UTF8.self).lowercased()
            .trimming(\.isWhitespace)
        var parameters: [String: String] = [:]
        while rest.popFirst() != nil {
            _ = rest.take { $0 == Byte.space || $0 == Byte.tab }
            if rest.isEmpty || rest.first == Byte.semicolon { continue }
            let name = String(decoding: rest.take { $0 != Byte.equals && $0 != Byte.semicolon }, as: UTF8.self)
            guard rest.popFirst() == Byte.equals else { throw HeaderValue.unreadable }
            let bytes = rest.first == Byte.quote ? try HeaderValue.quoted(&rest) : rest.take { $0 != Byte.semicolon }
            guard let value = String(validating: bytes, as: UTF8.self) else { throw HeaderValue.unreadable }
            guard parameters.updateValue(value, forKey: name.lowercased().trimming(\.isWhitespace)) == nil else {
                throw HeaderValue.unreadable
            }
            _ = rest.take { $0 == Byte.space || $0 == Byte.tab }
            guard rest.isEmpty || rest.first == Byte.semicolon else { throw HeaderValue.unreadable }
        }
        self.parameters = parameters
    }

    subscript(name: String) -> String? { parameters[name] }

    /// Reads a quoted string.
    ///
    /// A backslash escapes only a quotation mark or another backslash, because some browsers sent whole file paths.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) throws(JournalError) -> ArraySlice<UInt8> {
        rest.removeFirst()
        var bytes: ArraySlice<UInt8> = []
        while let byte = rest.popFirst() {
            if byte == Byte.quote { return bytes }
            if byte == Byte.backslash, let next = rest.first, next == Byte.quote || next == Byte.backslash {
                rest.removeFirst()
                bytes.append(next)
            } else {
                bytes.append(byte)
            }
        }
        throw unreadable
    }

    private static let unreadable = JournalError(.invalid, "a header's parameters cannot be read")
}

/// Characters with a meaning in headers and in multipart forms.
enum Byte {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let hyphen = UInt8(ascii: "-")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let backslash = UInt8(ascii: "\\")
}

extension ArraySlice<UInt8> {
    /// Removes and returns the longest prefix whose bytes satisfy a condition.
    fileprivate mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = prefix(while: condition)
        self = dropFirst(taken.count)
        return taken
    }
}
