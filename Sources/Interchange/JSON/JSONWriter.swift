/// Writes JSON deterministically, with members in the order of the value.
package struct JSONWriter {
    package enum Style: Sendable {
        case compact
        /// Two spaces for each level, one member on each line.
        case pretty
    }

    let style: Style
    var output: [UInt8] = []

    init(style: Style) {
        self.style = style
    }

    /// Returns the text of a value; `level` is the number of arrays and objects around it, for the indentation.
    package static func bytes(_ value: JSONValue, _ style: Style = .compact, level: Int = 0) -> [UInt8] {
        var writer = JSONWriter(style: style)
        writer.write(value, level: level)
        return writer.output
    }

    package static func text(_ value: JSONValue, _ style: Style = .compact) -> String {
        String(decoding: bytes(value, style), as: UTF8.self)
    }

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: output += "null".utf8
        case .bool(let flag): output += (flag ? "true" : "false").utf8
        case .number(let text): output += text.utf8
        case .string(let text): write(text)
        case .array(let items):
            list(items, level, open: "[", close: "]") { writer, item in writer.write(item, level: level + 1) }
        case .object(let members):
            list(members, level, open: "{", close: "}") { writer, member in
                writer.write(name: member.name)
                writer.write(member.value, level: level + 1)
            }
        }
    }

    private mutating func list<Item>(
        _ items: [Item],
        _ level: Int,
        open: String,
        close: String,
        item: (inout JSONWriter, Item) -> Void
    ) {
        output += open.utf8
        var isFirst = true
        for each in items {
            if !isFirst { output.append(UInt8(ascii: ",")) }
            isFirst = false
            startLine(level + 1)
            item(&self, each)
        }
        if !isFirst { startLine(level) }
        output += close.utf8
    }

    /// Writes the name of a member and the colon after it.
    mutating func write(name: String) {
        write(name)
        output += (style == .pretty ? ": " : ":").utf8
    }

    mutating func startLine(_ level: Int) {
        guard style == .pretty else { return }
        let short = min(level, JSONWriter.deepest)
        append(JSONWriter.newLine.span.extracting(0...2 * short))
        output.append(contentsOf: repeatElement(0x20, count: 2 * (level - short)))
    }

    /// The level up to which the indentation of a line is copied.
    private static let deepest = 32
    /// The beginning of a line with the deepest indentation.
    private static let newLine = [0x0A] + [UInt8](repeating: 0x20, count: 2 * deepest)

    private mutating func write(_ text: String) {
        output.append(UInt8(ascii: "\""))
        let bytes = text.utf8.span
        let isPlain = bytes.indices.allSatisfy { !JSONWriter.needsEscape(bytes[$0]) }
        if isPlain { output += text.utf8 } else { escape(text.utf8) }
        output.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Writes the bytes of a string, or of a part of one, as they appear between quotation marks.
    mutating func escape(_ text: some Sequence<UInt8>) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""): output += "\\\"".utf8
            case UInt8(ascii: "\\"): output += "\\\\".utf8
            case 0x0A: output += "\\n".utf8
            case 0x0D: output += "\\r".utf8
            case 0x09: output += "\\t".utf8
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                output += ("\\u00" + (digits.count == 1 ? "0" : "") + digits).utf8
            default: output.append(byte)
            }
        }
    }
}
