/// The pages of a file that have been accounted for: each must be, exactly once.
package struct PageMap: Sendable {
    private var words: [UInt64]
    private let count: UInt64

    init(pageCount: UInt64) {
        count = pageCount
        words = Array(repeating: 0, count: Int(pageCount / 64 + 1))
    }

    /// Marks a page; returns false if it was marked before or is not in the file.
    mutating func mark(_ page: UInt64) -> Bool {
        guard page < count else { return false }
        let (word, bit) = (Int(page / 64), UInt64(1) << (page % 64))
        guard words[word] & bit == 0 else { return false }
        words[word] |= bit
        return true
    }

    /// Marks consecutive pages; returns false if one of them was marked before or is not in the file.
    mutating func mark(_ page: UInt64, count: UInt64) -> Bool {
        guard page < self.count, count <= self.count - page else { return false }
        var isNew = true
        for page in page..<(page + count) where !mark(page) { isNew = false }
        return isNew
    }

    /// The first page that was not marked, and the number of such pages; nil if all are marked.
    package var unmarked: (first: UInt64, count: UInt64)? {
        var first: UInt64?
        var total: UInt64 = 0
        for (index, word) in words.enumerated() {
            let base = UInt64(index) * 64
            guard base < count else { break }
            let valid = count - base >= 64 ? UInt64.max : (1 << (count - base)) - 1
            let missing = ~word & valid
            if missing == 0 { continue }
            if first == nil { first = base + UInt64(missing.trailingZeroBitCount) }
            total += UInt64(missing.nonzeroBitCount)
        }
        return first.map { ($0, total) }
    }
}
