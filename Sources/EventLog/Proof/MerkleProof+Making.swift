extension MerkleProof {
    /// Returns the root of the complete subtree of 2^level leaves whose last leaf is at `position`, counted from 1.
    package typealias Node = (_ position: UInt64, _ level: Int) throws -> MerkleHash

    /// Returns PATH of RFC 6962, section 2.1.1: the siblings from the leaf up.
    package static func inclusionPath(to index: UInt64, in size: UInt64, _ node: Node) throws -> [MerkleHash] {
        var path: [MerkleHash] = []
        var range = 0..<size
        while range.count > 1 {
            let middle = range.lowerBound + half(range)
            if index < middle {
                path.append(try root(of: middle..<range.upperBound, node))
                range = range.lowerBound..<middle
            } else {
                path.append(try root(of: range.lowerBound..<middle, node))
                range = middle..<range.upperBound
            }
        }
        return path.reversed()
    }

    /// Returns PROOF of RFC 6962, section 2.1.2.
    package static func consistencyPath(
        from size: UInt64,
        to newSize: UInt64,
        _ node: Node
    ) throws -> [MerkleHash] {
        guard size > 0 else { return [] }
        var path: [MerkleHash] = []
        var range = 0..<newSize
        while range.upperBound > size {
            let middle = range.lowerBound + half(range)
            if size <= middle {
                path.append(try root(of: middle..<range.upperBound, node))
                range = range.lowerBound..<middle
            } else {
                path.append(try root(of: range.lowerBound..<middle, node))
                range = middle..<range.upperBound
            }
        }
        // The earlier root itself is omitted, because the verifier already has it.
        if range.lowerBound > 0 { path.append(try root(of: range, node)) }
        return path.reversed()
    }

    /// Returns the root over a range of leaves, which must begin where a subtree of its size would begin.
    private static func root(of range: Range<UInt64>, _ node: Node) throws -> MerkleHash {
        var end = range.lowerBound
        var peaks: [MerkleHash] = []
        for level in (0..<64).reversed() where UInt64(range.count) & (1 << UInt64(level)) != 0 {
            end += 1 << UInt64(level)
            peaks.append(try node(end, level))
        }
        return Frontier(size: UInt64(range.count), peaks: peaks).root
    }

    /// Returns the largest power of two that is less than the length of a range of two or more leaves.
    private static func half(_ range: Range<UInt64>) -> UInt64 {
        1 << UInt64(63 - UInt64(range.count - 1).leadingZeroBitCount)
    }
}
