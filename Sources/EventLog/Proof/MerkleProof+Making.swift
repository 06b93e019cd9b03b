extension MerkleProof {
    /// The root of a complete subtree: of its 2^level leaves, the last is that of `position`, counted from 1.
    package typealias Node = (_ position: UInt64, _ level: Int) throws -> MerkleHash

    /// PATH of RFC 6962, section 2.1.1: the siblings from the leaf up.
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

    /// PROOF of RFC 6962, section 2.1.2.
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
        // What the verifier knows already, the earlier root itself, is left out.
        if range.lowerBound > 0 { path.append(try root(of: range, node)) }
        return path.reversed()
    }

    /// The root over a range that begins where a subtree of its size would.
    private static func root(of range: Range<UInt64>, _ node: Node) throws -> MerkleHash {
        var end = range.lowerBound
        var peaks: [MerkleHash] = []
        for level in (0..<64).reversed() where UInt64(range.count) & (1 << UInt64(level)) != 0 {
            end += 1 << UInt64(level)
            peaks.append(try node(end, level))
        }
        return Frontier(size: UInt64(range.count), peaks: peaks).root
    }

    /// The largest power of two below the length of a range of two or more.
    private static func half(_ range: Range<UInt64>) -> UInt64 {
        1 << UInt64(63 - UInt64(range.count - 1).leadingZeroBitCount)
    }
}
