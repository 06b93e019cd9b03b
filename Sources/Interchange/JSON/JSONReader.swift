package import HealthModel

/// Parses JSON strictly as in RFC 8259, within limits, and reports the location of errors.
///
/// This is a separate parser, because no listed package combines what it needs: numbers as they were written, members
/// in their order, duplicate names as errors, and errors that name the field, the line and the column, but never a
/// value.
package struct JSONReader {
    /// A larger document is rejected before it is parsed; code that reads files should check their size first.
    package static let maximumBytes = 64 << 20
    /// The largest nesting depth of arrays and objects.
    package static let maximumDepth = 64

    let bytes: [UInt8]
    private let base: DocumentPath
    var index = 0
    private var trail: [Step] = []

    private enum Step {
        case name(String)
        case index(Int)
    }

    private init(bytes: [UInt8], base: DocumentPath) {
        self.bytes = bytes
        self.base = base
    }

    /// Parses one document.
    ///
    /// `path` is the location of the document, if it is itself a field of another document.
    package static func read(
        _ bytes: [UInt8],
        at path: DocumentPath = DocumentPath(),
        maximumBytes: Int = maximumBytes
    ) throws(ModelError) -> JSONValue {
        guard bytes.count <= maximumBytes else {
            throw ModelError(.invalid, field: path.field, "is larger than \(maximumBytes) bytes")
        }
        var reader = JSONReader(bytes: bytes, base: path)
        reader.skipByteOrderMark()
        reader.skipSpace()
        let value = try reader.value()
        reader.skipSpace()
        guard reader.index == bytes.count else { throw reader.error("something follows the end of the document") }
        return value
    }

    /// RFC 8259 allows parsers to ignore a byte order mark, and Windows tools write one.
    private mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private mutating func value() throws(ModelError) -> JSONValue {
        guard let byte = peek else { throw error("the document ends too early") }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "N"), UInt8(ascii: "I"): throw error("NaN and Infinity are not JSON numbers")
        default: throw error("this is not a JSON value")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(ModelError) -> JSONValue {
        let letters = Array(word.description.utf8)
        guard bytes[index...].starts(with: letters) else { throw error("this is not a JSON value") }
        index += letters.count
        if let byte = peek, isLetter(byte) { throw error("this is not a JSON value") }
        return value
    }

    private mutating func array() throws(ModelError) -> JSONValue {
        try enter()
        var items: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(items) }
        trail.append(.index(0))
        while true {
            trail[trail.count - 1] = .index(items.count)
            skipSpace()
            items.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { break }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or ] is missing") }
        }
        trail.removeLast()
        return .array(items)
    }

    private mutating func object() throws(ModelError) -> JSONValue {
        try enter()
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("the name of a field is missing") }
            let name = try string()
            trail.append(.name(name))
            guard names.insert(name).inserted else { throw error("the field appears twice") }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon is missing") }
            skipSpace()
            members.append(JSONValue.Member(name, try value()))
            trail.removeLast()
            skipSpace()
            if take(UInt8(ascii: "}")) { break }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or } is missing") }
        }
        return .object(members)
    }

    /// Each nesting level is one step of `trail`, so its length is the depth.
    private mutating func enter() throws(ModelError) {
        guard trail.count < Self.maximumDepth else {
            throw error("is nested more than \(Self.maximumDepth) deep")
        }
        index += 1
    }
}

// MARK: Shared by the parts of the reader

extension JSONReader {
    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Creates an error at the current index, or at `place`.
    func error(_ message: String, at place: Int? = nil) -> ModelError {
        var path = base
        for step in trail {
            switch step {
            case .name(let name): path = path.appending(name)
            case .index(let index): path = path.appending(index)
            }
        }
        let before = bytes[..<(place ?? index)]
        let line = before.count { $0 == 0x0A } + 1
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        // Columns count characters, as editors do: continuation bytes of UTF-8 are not counted.
        let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
        return ModelError(.invalid, field: path.field, "line \(line), column \(column): \(message)")
    }
}
