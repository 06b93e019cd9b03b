package import FoundationEssentials

/// A key under construction: at most 64 bytes, on the stack, integers big-endian so that bytes sort as numbers do.
package struct Key: Sendable {
    /// The longest key that any table here uses.
    package static let capacity = 64

    private var storage = InlineArray<64, UInt8>(repeating: 0)
    package private(set) var count = 0

    package init() {}

    package init(_ position: UInt64) {
        append(position)
    }

    package init(_ id: UUID) {
        append(id)
    }

    package init(_ bytes: [UInt8]) {
        append(bytes)
    }

    package mutating func append(_ byte: UInt8) {
        storage[count] = byte
        count += 1
    }

    package mutating func append<Integer: FixedWidthInteger>(_ integer: Integer) {
        var shift = Integer.bitWidth
        while shift > 0 {
            shift -= 8
            append(UInt8(truncatingIfNeeded: integer >> Integer(shift)))
        }
    }

    package mutating func append(_ id: UUID) {
        unsafe withUnsafeBytes(of: id.uuid) { bytes in
            for index in bytes.indices { append(unsafe bytes[index]) }
        }
    }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    package func appending(_ id: UUID) -> Key {
        var copy = self
        copy.append(id)
        return copy
    }

    package func appending(_ integer: some FixedWidthInteger) -> Key {
        var copy = self
        copy.append(integer)
        return copy
    }

    var bytes: RawSpan {
        @_lifetime(borrow self)
        get { unsafe storage.span.bytes.extracting(first: count) }
    }
}
