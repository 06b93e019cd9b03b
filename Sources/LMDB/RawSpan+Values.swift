package import FoundationEssentials
internal import Glibc

/// Functions that read whole values from bytes that the database lends. All offsets are checked.
extension RawSpan {
    /// A little-endian integer.
    @inlinable
    package func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Integer.Type = Integer.self
    ) -> Integer {
        Integer(littleEndian: unsafeLoadChecked(at: offset))
    }

    /// A big-endian integer, as keys hold them.
    @inlinable
    package func bigEndian<Integer: FixedWidthInteger & BitwiseCopyable>(
        at offset: Int,
        as type: Integer.Type = Integer.self
    ) -> Integer {
        Integer(bigEndian: unsafeLoadChecked(at: offset))
    }

    package func uuid(at offset: Int) -> UUID {
        let words: SIMD2<UInt64> = unsafeLoadChecked(at: offset)
        return UUID(words: (words.x, words.y))
    }

    /// A copy that may leave the transaction.
    package var copy: [UInt8] {
        unsafe withUnsafeBytes { unsafe [UInt8]($0) }
    }

    package func isEqual(to other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
                return unsafe memcmp(leftStart, rightStart, left.count) == 0
            }
        }
    }

    package func starts(with prefix: Key) -> Bool {
        byteCount >= prefix.count && extracting(first: prefix.count).isEqual(to: prefix.bytes)
    }

    @inlinable
    package var count: Int { byteCount }

    @inlinable
    func unsafeLoadChecked<Value: BitwiseCopyable>(at offset: Int) -> Value {
        precondition(offset >= 0 && offset + MemoryLayout<Value>.size <= byteCount, "an offset beyond the bytes")
        return unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self)
    }
}

extension UUID {
    /// The sixteen bytes as two words in memory order.
    package var words: (UInt64, UInt64) { unsafe unsafeBitCast(self, to: (UInt64, UInt64).self) }

    package init(words: (UInt64, UInt64)) {
        // A conversion through `uuid_t` would copy each byte separately.
        self = unsafe unsafeBitCast(words, to: UUID.self)
    }
}

extension MutableRawSpan {
    /// Writes the sixteen bytes of an id.
    package mutating func store(_ id: UUID, at offset: Int) {
        let words = id.words
        store(UInt64(littleEndian: words.0), at: offset)
        store(UInt64(littleEndian: words.1), at: offset + 8)
    }

    /// Writes bytes that fill the span exactly.
    package mutating func take(_ bytes: RawSpan) {
        precondition(bytes.byteCount == byteCount, "the number of bytes does not match")
        unsafe withUnsafeMutableBytes { room in unsafe bytes.withUnsafeBytes { unsafe room.copyMemory(from: $0) } }
    }

    /// Writes an integer, little-endian.
    @inlinable
    package mutating func store<Integer: FixedWidthInteger & BitwiseCopyable>(_ integer: Integer, at offset: Int) {
        precondition(offset >= 0 && offset + MemoryLayout<Integer>.size <= byteCount, "an offset beyond the bytes")
        unsafe storeBytes(of: integer.littleEndian, toUncheckedByteOffset: offset, as: Integer.self)
    }
}

extension [UInt8] {
    /// The bytes of the array in place, as the database takes and lends them.
    @inlinable
    package var raw: RawSpan {
        @_lifetime(borrow self)
        get { unsafe span.bytes }
    }
}
