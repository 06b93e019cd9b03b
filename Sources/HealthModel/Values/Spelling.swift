/// Finds the name that a mistyped word was probably meant to be.
package enum Spelling {
    /// The number of bytes of a word that are compared; longer words are no mistyped names.
    private static let longest = 100

    /// Returns the name with the smallest edit distance, if that is at most two and less than half the length of
    /// `word`.
    package static func nearest(to word: String, among names: [String]) -> String? {
        let word = word.lowercased()
        guard word.utf8.count <= longest else { return nil }
        let found = names.map { (name: $0, distance: distance(Array(word.utf8), Array($0.lowercased().utf8))) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        guard let found, found.distance <= 2, 2 * found.distance < word.utf8.count else { return nil }
        return found.name
    }

    /// Returns the number of bytes to insert, remove, replace or swap with the next one to make `a` equal to `b`.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var rows = [Array(0...b.count)]
        for i in 0..<a.count {
            var row = [i + 1]
            for j in 0..<b.count {
                var least = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), min(rows[i][j + 1], row[j]) + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, rows[i - 1][j - 1] + 1) }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
