internal import Cipher
internal import Crypto
internal import LMDB

/// A hash of the Merkle tree as RFC 6962 defines it.
package struct MerkleHash: Hashable, Sendable {
    package static let length = 32

    /// The bytes as four words in their memory order, so that a hash needs no heap allocation.
    let words: SIMD4<UInt64>

    init(words: SIMD4<UInt64>) {
        self.words = words
    }

    /// Reads the 32 bytes that begin at an offset.
    init(_ bytes: RawSpan, at offset: Int = 0) {
        words = SIMD4(
            bytes.integer(at: offset),
            bytes.integer(at: offset + 8),
            bytes.integer(at: offset + 16),
            bytes.integer(at: offset + 24)
        )
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(MerkleHash.length)
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        for index in 0..<4 { bytes.append(littleEndian: words[index]) }
    }

    func write(to bytes: inout MutableRawSpan, at offset: Int) {
        for index in 0..<4 { bytes.store(words[index], at: offset + 8 * index) }
    }

    /// SHA-256(0x00 ‖ frame as stored).
    package static func leaf(_ frame: [UInt8]) -> MerkleHash { leaf(frame.raw) }

    /// SHA-256(0x00 ‖ frame as stored).
    static func leaf(_ frame: RawSpan) -> MerkleHash { MerkleHash(words: Cipher.hash(0x00, frame)) }

    /// SHA-256(0x01 ‖ left ‖ right).
    package static func node(_ left: MerkleHash, _ right: MerkleHash) -> MerkleHash {
        MerkleHash(words: Cipher.hash(0x01, left.words, right.words))
    }

    /// The root of a tree without leaves.
    package static let empty = MerkleHash(Array(SHA256.hash(data: [] as [UInt8])).raw)
}
