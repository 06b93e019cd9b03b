internal import LMDB

/// The encoding of a row of the table `tree`: the hashes that the leaf of one position completes.
enum TreeRow {
    static func bytes(_ hashes: [MerkleHash]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hashes.count * MerkleHash.length)
        for hash in hashes { hash.append(to: &bytes) }
        return bytes
    }

    static func hash(level: Int, in row: RawSpan, at position: UInt64) throws(EventLogError) -> MerkleHash {
        let offset = level * MerkleHash.length
        guard row.byteCount >= offset + MerkleHash.length else {
            throw .damaged("the tree's row is too short", at: position)
        }
        return MerkleHash(row, at: offset)
    }
}
