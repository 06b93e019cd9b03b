internal import Crypto

/// A hash of the tree, as RFC 6962 makes them.
package struct MerkleHash: Hashable, Sendable {
    package static let length = 32

    package let bytes: [UInt8]

    /// SHA-256(0x00 ‖ frame as stored).
    package static func leaf(_ frame: [UInt8]) -> MerkleHash {
        var hash = SHA256()
        hash.update(data: [0x00] as [UInt8])
        hash.update(data: frame)
        return MerkleHash(bytes: Array(hash.finalize()))
    }

    /// SHA-256(0x01 ‖ left ‖ right).
    package static func node(_ left: MerkleHash, _ right: MerkleHash) -> MerkleHash {
        var hash = SHA256()
        hash.update(data: [0x01] as [UInt8])
        hash.update(data: left.bytes)
        hash.update(data: right.bytes)
        return MerkleHash(bytes: Array(hash.finalize()))
    }

    /// The root of a tree without leaves.
    package static let empty = MerkleHash(bytes: Array(SHA256.hash(data: [] as [UInt8])))
}
