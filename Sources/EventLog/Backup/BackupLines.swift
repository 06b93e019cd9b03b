/// The lines of a backup's manifest or contents list, read one by one.
struct BackupLines {
    private var rest: ArraySlice<Substring>

    init(_ text: String) {
        rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    }

    mutating func takeFirst() -> Substring? { rest.popFirst() }

    /// Returns the value of the next line, if the line has the given name.
    mutating func take(_ name: String) -> Substring? {
        guard let line = rest.first, line.hasPrefix(name + " ") else { return nil }
        rest = rest.dropFirst()
        return line.dropFirst(name.count + 1)
    }

    mutating func takeAll(_ name: String) -> [Substring] {
        var values: [Substring] = []
        while let value = take(name) { values.append(value) }
        return values
    }
}

extension UInt8 {
    /// Whether the byte is a lowercase hexadecimal digit.
    var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether the text is a SHA-256 in lowercase hexadecimal digits.
    var isDigest: Bool { utf8.count == 64 && utf8.allSatisfy(\.isHexadecimal) }
}
