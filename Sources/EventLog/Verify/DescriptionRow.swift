internal import Crypto
internal import LMDB

/// The rows in which a journal says what it is: the description, and its hash, for no hash of the tree covers it.
enum DescriptionRow {
    static let key = Array("journal".utf8)
    static let hashKey = Array("journal.sha256".utf8)

    static func hash(of description: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: description))
    }

    /// What is wrong with all rows of the table that holds them.
    ///
    /// Journals made before the hash was kept have none.
    static func problems(_ rows: [[UInt8]: [UInt8]]) -> [String] {
        guard let description = rows[key] else { return ["the log does not say what it is"] }
        var problems: [String] = []
        if let hash = rows[hashKey], hash != self.hash(of: description) {
            problems.append("what the log says of itself is not what was written")
        }
        if rows.keys.contains(where: { $0 != key && $0 != hashKey }) {
            problems.append("the log says more of itself than any journal does")
        }
        return problems
    }
}
