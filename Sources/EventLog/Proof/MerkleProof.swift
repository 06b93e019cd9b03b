/// Verifies Merkle proofs as RFC 9162 defines them, from the hashes alone.
package enum MerkleProof {
    /// The maximum number of hashes in a proof of any tree.
    package static let maximumHashes = 128

    /// Throws unless a leaf is at an index of the tree with this size and root (section 2.1.3.2).
    package static func checkInclusion(
        of leaf: MerkleHash,
        at index: UInt64,
        in size: UInt64,
        root: MerkleHash,
        path: [MerkleHash]
    ) throws(ProofError) {
        guard index < size else {
            throw ProofError(.mismatch, "index \(index) is beyond a tree of \(size) leaves")
        }
        var (first, last) = (index, size - 1)
        var hash = leaf
        for sibling in path {
            guard last > 0 else { throw ProofError(.mismatch, "the proof has too many hashes") }
            if first.isOdd || first == last {
                hash = .node(sibling, hash)
                climb(&first, &last)
            } else {
                hash = .node(hash, sibling)
            }
            (first, last) = (first >> 1, last >> 1)
        }
        guard last == 0 else { throw ProofError(.mismatch, "the proof has too few hashes") }
        guard hash == root else { throw ProofError(.mismatch, "the hashes do not lead from the entry to the root") }
    }

    /// Throws unless the tree of the second size and root begins with that of the first (section 2.1.4.2).
    ///
    /// A tree begins with itself, which needs no hashes. Every tree begins with the empty tree, which proves nothing,
    /// so a `size` of 0 is refused.
    package static func checkConsistency(
        from size: UInt64,
        root: MerkleHash,
        to newSize: UInt64,
        newRoot: MerkleHash,
        path: [MerkleHash]
    ) throws(ProofError) {
        guard size > 0 else {
            throw ProofError(.mismatch, "every tree begins with the empty tree: there is nothing to prove")
        }
        guard size <= newSize else {
            throw ProofError(.mismatch, "the earlier tree has \(size) leaves, and the later one only \(newSize)")
        }
        guard size < newSize else {
            guard path.isEmpty else { throw ProofError(.mismatch, "the proof has too many hashes") }
            guard root == newRoot else {
                throw ProofError(.mismatch, "two trees of the same size have different roots")
            }
            return
        }
        guard !path.isEmpty else { throw ProofError(.mismatch, "the proof has too few hashes") }
        var hashes = path[...]
        var (first, last) = (size - 1, newSize - 1)
        while first.isOdd { (first, last) = (first >> 1, last >> 1) }
        // If the earlier tree is complete, its root is a node of the later tree and is not part of the path.
        let start = size & (size - 1) == 0 ? root : hashes.removeFirst()
        var (old, new) = (start, start)
        for hash in hashes {
            guard last > 0 else { throw ProofError(.mismatch, "the proof has too many hashes") }
            if first.isOdd || first == last {
                old = .node(hash, old)
                new = .node(hash, new)
                climb(&first, &last)
            } else {
                new = .node(new, hash)
            }
            (first, last) = (first >> 1, last >> 1)
        }
        guard last == 0 else { throw ProofError(.mismatch, "the proof has too few hashes") }
        guard old == root else { throw ProofError(.mismatch, "the hashes do not lead to the earlier root") }
        guard new == newRoot else { throw ProofError(.mismatch, "the hashes do not lead to the later root") }
    }

    /// Moves up the right edge, where a node without a sibling is its own parent.
    private static func climb(_ first: inout UInt64, _ last: inout UInt64) {
        while !first.isOdd, first > 0 { (first, last) = (first >> 1, last >> 1) }
    }
}

extension UInt64 {
    fileprivate var isOdd: Bool { self & 1 == 1 }
}
