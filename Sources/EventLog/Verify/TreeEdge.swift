/// The right edge of the tree, followed twice: as the frames have it, and as the tree's rows tell it once they tell another.
///
/// So one changed frame is found at its own position and nowhere else, and one changed row likewise.
struct TreeEdge: Sendable {
    private(set) var size: UInt64 = 0
    /// The roots of the complete subtrees of the frames, the largest first.
    private(set) var frames: [MerkleHash] = []
    /// Those that the rows tell, or nil while they are the same; a nil hash is not known, for neither frame nor row is there.
    private(set) var rows: [MerkleHash?]?

    init() {}

    init(size: UInt64, peaks: [MerkleHash]) {
        self.size = size
        frames = peaks
    }

    /// The hash of a whole segment, as the frames have it and as the rows tell it.
    var whole: (frames: MerkleHash, rows: MerkleHash?) {
        (frames.first ?? .empty, rows.map { $0.first ?? nil } ?? frames.first)
    }

    /// Adds a node; says whether the stored hashes above it follow from those below.
    ///
    /// `above` are the stored hashes that it completes, the lowest first; nil if there are none to hold against.
    mutating func append(_ own: MerkleHash, told: MerkleHash?, above: ArraySlice<UInt8>?) -> Bool {
        let merges = (~size).trailingZeroBitCount
        size += 1
        var nodes: [MerkleHash] = []
        var stored: [MerkleHash?] = []
        var node = own
        var isSame = rows == nil && told == own
        for level in 0..<merges {
            node = .node(frames[frames.count - 1 - level], node)
            let hash = above.flatMap { MerkleHash(in: $0, at: level) }
            if let hash, hash != node { isSame = false }
            nodes.append(node)
            stored.append(hash)
        }
        let before = isSame ? [] : frames
        frames.removeLast(merges)
        frames.append(node)
        return isSame || follow(rows ?? before, told, nodes, stored)
    }

    /// Follows the rows, where they tell another tree than the frames; says whether they follow from each other.
    private mutating func follow(
        _ peaks: [MerkleHash?],
        _ told: MerkleHash?,
        _ nodes: [MerkleHash],
        _ stored: [MerkleHash?]
    ) -> Bool {
        var peaks = peaks
        var follows = true
        var row = told
        for (node, hash) in zip(nodes, stored) {
            let left = peaks.removeLast()
            let computed: MerkleHash? = if let left, let row { .node(left, row) } else { nil }
            // Where the frames agree with a row, it was the row below that is wrong, and that was told.
            row = hash == node ? node : computed ?? hash
            if let hash, let row, hash != row { follows = false }
        }
        peaks.append(row)
        rows = peaks == frames ? nil : peaks
        return follows
    }
}

extension MerkleHash {
    /// A hash of a row of the tree, or nil if the row is too short.
    init?(in row: ArraySlice<UInt8>, at level: Int) {
        let start = level * MerkleHash.length
        guard start + MerkleHash.length <= row.count else { return nil }
        self.init(unsafe row.span.bytes, at: start)
    }
}
