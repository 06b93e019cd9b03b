/// A reader of the protobuf encodings that this program writes; it returns nil for all others.
///
/// Nil does not mean that the bytes are invalid: the caller then decodes them with the protobuf library.
struct WireReader: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset: Int
    private let end: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.init(bytes, from: 0, to: bytes.count)
    }

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>, from offset: Int, to end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    /// The wire types of the fields that this program writes.
    enum Wire: UInt64 {
        case varint = 0
        case delimited = 2
    }

    var isAtEnd: Bool { offset == end }

    /// Reads the number and wire type of the next field.
    mutating func field() -> (number: UInt64, wire: Wire)? {
        guard let tag = varint(), let wire = Wire(rawValue: tag & 7), tag >> 3 > 0 else { return nil }
        return (tag >> 3, wire)
    }

    mutating func varint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < end, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            guard shift < 63 || byte <= 1 else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Reads a signed number in zigzag encoding.
    mutating func zigzag() -> Int64? {
        varint().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    /// Returns a reader for the next length-delimited message.
    @_lifetime(copy self)
    mutating func message() -> WireReader? {
        guard let length = length() else { return nil }
        let inner = WireReader(bytes, from: offset, to: offset + length)
        offset += length
        return inner
    }

    mutating func text() -> String? {
        guard let length = length() else { return nil }
        defer { offset += length }
        guard let text = try? UTF8Span(validating: bytes.extracting(offset..<(offset + length))) else { return nil }
        return String(copying: text)
    }

    mutating func data() -> [UInt8]? {
        guard let length = length() else { return nil }
        defer { offset += length }
        let part = bytes.extracting(offset..<(offset + length))
        return part.indices.map { part[$0] }
    }

    private mutating func length() -> Int? {
        guard let length = varint(), length <= UInt64(end - offset) else { return nil }
        return Int(length)
    }
}
