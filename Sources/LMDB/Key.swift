package import FoundationEssentials

/// A key under construction: at most 64 bytes, on the stack, integers big-endian so that bytes sort in numeric order.
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

    package mutating func append(_ integer: UInt64) {
        append(word: integer.bigEndian)
    }

    /// Appends eight bytes in memory order.
    private mutating func append(word: UInt64) {
        var span = storage.mutableSpan
        var bytes = unsafe span.mutableBytes
        bytes.store(UInt64(littleEndian: word), at: count)
        count += 8
    }

    package mutating func append(_ integer: UInt16) {
        append(UInt8(truncatingIfNeeded: integer >> 8))
        append(UInt8(truncatingIfNeeded: integer))
    }

    package mutating func append(_ id: UUID) {
        let words = id.words
        append(word: words.0)
        append(word: words.1)
    }

    /// Appends an integer in the little-endian order of values, for a value that is short enough for a `Key`.
    package mutating func append(littleEndian integer: UInt64) {
        append(word: integer.littleEndian)
    }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    package func appending(_ id: UUID) -> Key {
        var copy = self
        copy.append(id)
        return copy
    }

    package func appending(_ integer: UInt64) -> Key {
        var copy = self
        copy.append(integer)
        return copy
    }

    package func appending(_ integer: UInt16) -> Key {
        var copy = self
        copy.append(integer)
        return copy
    }

    var bytes: RawSpan {
        @_lifetime(borrow self)
        get { unsafe storage.span.bytes.extracting(first: count) }
    }
}
