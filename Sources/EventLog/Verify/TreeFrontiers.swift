internal import LMDB

/// The frontier of the Merkle tree, kept twice: from the frames, and from the tree's rows once they differ.
///
/// Therefore a changed frame is reported only at its own position, and so is a changed row.
struct TreeFrontiers: Sendable {
    private(set) var size: UInt64 = 0
    /// The roots of the complete subtrees, computed from the frames, the largest first.
    private(set) var frames: [MerkleHash] = []
    /// The same roots according to the rows, or nil while they are equal.
    ///
    /// A nil hash is unknown, because both the frame and the row are missing.
    private(set) var rows: [MerkleHash?]?

    init() {}

    init(size: UInt64, peaks: [MerkleHash]) {
        self.size = size
        frames = peaks
    }

    /// The hash of a whole segment, computed from the frames and according to the rows.
    var whole: (frames: MerkleHash, rows: MerkleHash?) {
        (frames.first ?? .empty, rows.map { $0.first ?? nil } ?? frames.first)
    }

    /// Adds a node, and reports whether the stored hashes above it follow from those below.
    ///
    /// `own` is its hash computed from the frames, `leaf` its stored hash. `above` contains the stored hashes that the
    /// node completes, the lowest first; nil if there are none to compare with.
    mutating func append(_ own: MerkleHash, stored leaf: MerkleHash?, above: ArraySlice<UInt8>?) -> Bool {
        let merges = (~size).trailingZeroBitCount
        size += 1
        var nodes: [MerkleHash] = []
        var stored: [MerkleHash?] = []
        var node = own
        var isSame = rows == nil && leaf == own
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
        return isSame || follow(rows ?? before, leaf, nodes, stored)
    }

    /// Updates the roots of the rows, which differ from the frames, and reports whether the rows follow from each
    /// other.
    private mutating func follow(
        _ peaks: [MerkleHash?],
        _ leaf: MerkleHash?,
        _ nodes: [MerkleHash],
        _ stored: [MerkleHash?]
    ) -> Bool {
        var peaks = peaks
        var follows = true
        var row = leaf
        for (node, hash) in zip(nodes, stored) {
            let left = peaks.removeLast()
            let computed: MerkleHash? = if let left, let row { .node(left, row) } else { nil }
            // If a row agrees with the frames, only the row below it is wrong, which was reported.
            row = hash == node ? node : computed ?? hash
            if let hash, let row, hash != row { follows = false }
        }
        peaks.append(row)
        rows = peaks == frames ? nil : peaks
        return follows
    }
}

extension MerkleHash {
    /// Decodes a hash of a row of the tree, or returns nil if the row is too short.
    init?(in row: ArraySlice<UInt8>, at level: Int) {
        let start = level * MerkleHash.length
        guard start + MerkleHash.length <= row.count else { return nil }
        self.init(unsafe row.span.bytes, at: start)
    }
}

/// The Merkle tree as stored in the rows of a table, read from the pages of a file.
struct StoredTree {
    let pages: SnapshotPages
    let record: TableRecord

    /// Returns the hash of the subtree of a level that ends at a position.
    func hash(level: Int, endingAt position: UInt64) throws(EventLogError) -> MerkleHash {
        let row: [UInt8]?
        do throws(PageFault) {
            row = try pages.value(of: RowStream.key(position), in: record)
        } catch {
            throw .damaged("the tree's row cannot be read: \(error)", at: position)
        }
        guard let row, let hash = MerkleHash(in: row[...], at: level) else {
            throw .damaged("the tree has no hash", at: position)
        }
        return hash
    }
}
