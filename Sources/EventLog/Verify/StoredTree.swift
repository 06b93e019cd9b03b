internal import LMDB

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
