package import HealthModel

/// Parses JSON strictly as in RFC 8259, within limits, and reports the location of errors.
///
/// This is a separate parser, because no listed package combines what it needs: numbers as they were written, members
/// in their order, duplicate names as errors, and errors that name the field, the line and the column, but never a
/// value.
package struct JSONReader {
    /// A larger document is rejected before it is parsed; code that reads files should check their size first.
    package static let maximumBytes = 64 << 20
    /// A document with more values is rejected: a value takes some ten times the memory of its text.
    package static let maximumValues = 10_000_000
    /// The largest nesting depth of arrays and objects.
    package static let maximumDepth = 64
    /// Up to so many members, each name is compared with all others.
    private static let fewMembers = 16

    let bytes: [UInt8]
    /// The index after the last byte of the document, which may be a part of `bytes`.
    private let end: Int
    private let base: DocumentPath
    var index: Int
    private var trail: [Step] = []
    private let begin: Int
    private var values = 0
    private let mostValues: Int
    /// The member of the document whose items are found and not parsed; nil for none.
    private var deferredMember: String?
    private var deferredItems: [Range<Int>] = []
    private var deferredBytes = 0

    private enum Step {
        case name(String)
        case index(Int)
    }

    private init(bytes: [UInt8], range: Range<Int>, base: DocumentPath, mostValues: Int = JSONReader.maximumValues) {
        self.bytes = bytes
        self.mostValues = mostValues
        begin = range.lowerBound
        (index, end) = (range.lowerBound, range.upperBound)
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
        try checkSize(bytes.count, at: path, maximumBytes)
        return try read(bytes.indices, of: bytes, at: path, maximumBytes: maximumBytes)
    }

    /// Parses one document that is a part of `bytes`; errors state the line and the column in the whole.
    static func read(
        _ range: Range<Int>,
        of bytes: [UInt8],
        at path: DocumentPath = DocumentPath(),
        maximumBytes: Int = maximumBytes,
        mostValues: Int = JSONReader.maximumValues
    ) throws(ModelError) -> JSONValue {
        try checkSize(range.count, at: path, maximumBytes)
        var reader = JSONReader(bytes: bytes, range: range, base: path, mostValues: mostValues)
        return try reader.document()
    }

    /// Parses a document except for the items of one of its members, an array, so that they can be parsed one by one.
    ///
    /// Returns the document with an empty array, and where the items are. They may be invalid.
    static func split(
        _ bytes: [UInt8],
        at member: String,
        maximumBytes: Int = maximumBytes
    ) throws(ModelError) -> (rest: JSONValue, items: [Range<Int>]) {
        try checkSize(bytes.count, at: DocumentPath(), maximumBytes)
        var reader = JSONReader(bytes: bytes, range: bytes.indices, base: DocumentPath())
        reader.deferredMember = member
        return (try reader.document(), reader.deferredItems)
    }

    private static func checkSize(
        _ count: Int,
        at path: DocumentPath,
        _ maximumBytes: Int
    ) throws(ModelError) {
        guard count <= maximumBytes else {
            throw ModelError(.invalid, field: path.field, "is larger than \(maximumBytes) bytes")
        }
    }

    private mutating func document() throws(ModelError) -> JSONValue {
        skipByteOrderMark()
        skipSpace()
        let value = try value()
        skipSpace()
        guard index == end else { throw error("something follows the end of the document") }
        return value
    }

    /// RFC 8259 allows parsers to ignore a byte order mark, and Windows tools write one.
    private mutating func skipByteOrderMark() {
        if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    private mutating func value() throws(ModelError) -> JSONValue {
        guard let byte = peek else { throw error("the document ends too early") }
        values += 1
        guard values <= mostValues else { throw error("the document has more than \(mostValues) values: split it") }
        if deferredMember != nil, index - begin - deferredBytes > Self.maximumBytes {
            throw error("there are more than \(Self.maximumBytes) bytes besides the items of \(deferredMember ?? "")")
        }
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
        guard bytes[index..<end].starts(with: letters) else { throw error("this is not a JSON value") }
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
        // For many members only: of a few names, comparing all is faster.
        var names: Set<String> = []
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw error("the name of a field is missing") }
            let name = try string()
            trail.append(.name(name))
            let isNew: Bool
            if members.count < Self.fewMembers {
                isNew = !members.contains { $0.name == name }
            } else {
                if names.isEmpty { names = Set(members.lazy.map(\.name)) }
                isNew = names.insert(name).inserted
            }
            guard isNew else { throw error("the field appears twice") }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw error("a colon is missing") }
            skipSpace()
            let isDeferred = trail.count == 1 && name == deferredMember && peek == UInt8(ascii: "[")
            members.append(JSONValue.Member(name, isDeferred ? try unparsedArray() : try value()))
            trail.removeLast()
            skipSpace()
            if take(UInt8(ascii: "}")) { break }
            guard take(UInt8(ascii: ",")) else { throw error("a comma or } is missing") }
        }
        return .object(members)
    }

    /// Finds the items of an array, and returns an empty array.
    private mutating func unparsedArray() throws(ModelError) -> JSONValue {
        try enter()
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array([]) }
        trail.append(.index(0))
        while true {
            trail[trail.count - 1] = .index(deferredItems.count)
            skipSpace()
            let start = index
            if peek != UInt8(ascii: "{") && peek != UInt8(ascii: "[") { _ = try value() } else { skipContainer() }
            deferredItems.append(start..<index)
            deferredBytes += index - start
            skipSpace()
            if take(UInt8(ascii: "]")) { break }
            guard take(UInt8(ascii: ",")) else {
                // The cause may lie within the item, such as a bracket of the wrong kind.
                index = start
                _ = try value()
                skipSpace()
                throw error("a comma or ] is missing")
            }
        }
        trail.removeLast()
        return .array([])
    }

    /// Moves behind an array or an object without checking it, or to the end of the document if it has no end.
    private mutating func skipContainer() {
        var depth = 0
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return }
            case UInt8(ascii: "\""): skipString()
            default: break
            }
        }
    }

    private mutating func skipString() {
        while let byte = peek {
            index += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { index = min(index + 1, end) }
        }
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
    var peek: UInt8? { index < end ? bytes[index] : nil }

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
    func error(_ message: Message, at place: Int? = nil) -> ModelError {
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
