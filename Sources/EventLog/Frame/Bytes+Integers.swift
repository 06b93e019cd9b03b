package import FoundationEssentials

extension [UInt8] {
    @inlinable
    package mutating func append(littleEndian integer: some FixedWidthInteger) {
        var rest = integer
        for _ in 0..<(integer.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    package mutating func append(_ id: UUID) {
        let bytes = id.uuid
        append(contentsOf: [
            bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7,
            bytes.8, bytes.9, bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
        ])
    }

    package init(_ id: UUID) {
        self = []
        append(id)
    }
}
