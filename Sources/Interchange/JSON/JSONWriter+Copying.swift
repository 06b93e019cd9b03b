extension JSONWriter {
    /// Writes an object in the style of this writer, without the bracket at its end.
    ///
    /// `text` is the object, as a writer wrote it in the compact style; it is not checked. Returns where the values of its
    /// members with the given names begin; nil for a name that it does not have. `level` is the number of arrays and objects
    /// around it.
    mutating func write(copying text: Span<UInt8>, level: Int, finding names: [String]) -> [Int?] {
        var found = [Int?](repeating: nil, count: names.count)
        var (depth, position) = (0, 0)
        // The beginning of the part that is not written yet.
        var start = 0
        let end = text.count - 1
        // Indented, most texts are about twice as long.
        output.reserveCapacity(output.count + 2 * text.count + 256)
        while position < end {
            let byte = text[position]
            switch byte {
            case UInt8(ascii: "\""):
                let name = position + 1
                position = JSONWriter.endOfString(text, from: position)
                guard text[position] == UInt8(ascii: ":") else { continue }
                if depth == 1, let index = names.firstIndex(where: { JSONWriter.is($0, in: text, name..<position - 1) })
                {
                    found[index] = position + 1
                }
                position += 1
                guard style == .pretty else { continue }
                append(text.extracting(start..<position))
                output.append(UInt8(ascii: " "))
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                // In ASCII, a closing bracket is two after its opening one. An empty list stays on its line.
                if text[position + 1] == byte + 2 {
                    position += 2
                    continue
                }
                depth += 1
                position += 1
                guard style == .pretty else { continue }
                append(text.extracting(start..<position))
                startLine(level + depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
                guard style == .pretty else { continue }
                append(text.extracting(start..<position - 1))
                startLine(level + depth)
                output.append(byte)
            case UInt8(ascii: ","):
                position += 1
                guard style == .pretty else { continue }
                append(text.extracting(start..<position))
                startLine(level + depth)
            default:
                position += 1
                continue
            }
            start = position
        }
        append(text.extracting(start..<end))
        return found
    }

    /// Returns the position after the string that begins at one.
    fileprivate static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
        var position = start + 1
        while true {
            position = plainEnd(text, from: position)
            if text[position] == UInt8(ascii: "\"") { return position + 1 }
            position += text[position] == UInt8(ascii: "\\") ? 2 : 1
        }
    }

    /// Returns the position of the next quotation mark or backslash, or an earlier one.
    ///
    /// It is an earlier one if fewer than eight bytes are left: then the caller goes on byte by byte. Looks at eight
    /// bytes at a time, because most of a text is within strings. In a word, the lowest byte whose highest bit was clear and is
    /// set by subtracting one is zero (https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord).
    private static func plainEnd(_ text: Span<UInt8>, from start: Int) -> Int {
        let (ones, highest): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highest }
        let bytes = unsafe text.bytes
        var position = start
        while position + 8 <= text.count {
            let word = unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
            let found = zeros(word ^ (ones &* 0x22)) | zeros(word ^ (ones &* 0x5C))
            if found != 0 { return position + found.trailingZeroBitCount / 8 }
            position += 8
        }
        return position
    }

    private static func `is`(_ name: String, in text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let bytes = name.utf8.span
        return bytes.count == range.count && bytes.indices.allSatisfy { text[range.lowerBound + $0] == bytes[$0] }
    }

    mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
}

extension JSONReader {
    /// Reads the string that begins at a position of a valid text; nil if none begins there.
    static func string(at start: Int?, of text: Span<UInt8>) -> String? {
        guard let start, text[start] == UInt8(ascii: "\"") else { return nil }
        let bytes = (start..<JSONWriter.endOfString(text, from: start)).map { text[$0] }
        return if case .string(let found)? = try? read(bytes) { found } else { nil }
    }
}
