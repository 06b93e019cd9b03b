internal import CZlib

/// The CRC-32 of bytes that are added in parts, as zip archives have it.
struct Checksum {
    private(set) var value: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        // For a missing buffer, which no bytes may have, zlib returns the checksum of nothing.
        if bytes.isEmpty { return }
        let sum = unsafe bytes.withUnsafeBufferPointer { part in
            unsafe crc32(UInt(value), part.baseAddress, UInt32(part.count))
        }
        value = UInt32(truncatingIfNeeded: sum)
    }
}
