internal import LMDB

/// The frontier of a growing Merkle tree: the roots of its complete subtrees, the largest first.
package struct Frontier: Hashable, Sendable {
    /// The number of leaves of the tree.
    package private(set) var size: UInt64 = 0
    private var peaks: [MerkleHash] = []

    package init() {}

    init(size: UInt64, peaks: [MerkleHash]) {
        self.size = size
        self.peaks = peaks
    }

    /// Adds a leaf and returns the hashes that this completes: the leaf first, then each node above it.
    ///
    /// Row p of the table `tree` contains this result for the leaf of position p: the node of level k that ends at p is
    /// its k-th hash, counted from 0. Therefore the tree is stored by appending alone, and any node is found with one
    /// get.
    package mutating func append(_ leaf: MerkleHash) -> [MerkleHash] {
        var completed: [MerkleHash] = []
        append(leaf) { completed.append($0) }
        return completed
    }

    /// The number of hashes that the next leaf completes.
    var completedByNext: Int { size.trailingOnes + 1 }

    /// Adds a leaf and calls `body` with each hash that this completes: the leaf first, then each node above it.
    mutating func append(_ leaf: MerkleHash, _ body: (MerkleHash) -> Void) {
        body(leaf)
        var node = leaf
        for _ in 0..<size.trailingOnes {
            node = .node(peaks.removeLast(), node)
            body(node)
        }
        peaks.append(node)
        size += 1
    }

    /// The root of the whole tree.
    package var root: MerkleHash {
        guard var root = peaks.last else { return .empty }
        for peak in peaks.dropLast().reversed() { root = .node(peak, root) }
        return root
    }

    /// Returns where the peaks of a tree of `size` leaves are stored: the position at which each ends, and its level.
    static func peaks(ofSize size: UInt64) -> [(position: UInt64, level: Int)] {
        var end: UInt64 = 0
        return (0..<64).reversed()
            .compactMap { level in
                guard size & (1 << UInt64(level)) != 0 else { return nil }
                end += 1 << UInt64(level)
                return (end, level)
            }
    }
}

extension UInt64 {
    fileprivate var trailingOnes: Int { (~self).trailingZeroBitCount }
}

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
