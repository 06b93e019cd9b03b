internal import Crypto
internal import LMDB

/// The rows that describe a journal: the description and its hash, which the Merkle tree does not cover.
enum DescriptionRow {
    static let key = Array("journal".utf8)
    static let hashKey = Array("journal.sha256".utf8)

    static func hash(of description: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: description))
    }

    /// Returns the problems of the table `meta`, given all its rows.
    ///
    /// A missing hash is not a problem: the oldest journals have none.
    static func problems(_ rows: [[UInt8]: [UInt8]]) -> [String] {
        guard let description = rows[key] else { return ["the log has no journal description"] }
        var problems: [String] = []
        if let hash = rows[hashKey], hash != self.hash(of: description) {
            problems.append("the journal description does not match its hash")
        }
        if rows.keys.contains(where: { $0 != key && $0 != hashKey }) {
            problems.append("the table meta contains unknown rows")
        }
        return problems
    }
}
