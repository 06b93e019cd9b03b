/// Which part of a long list is asked for.
package struct Page: Hashable, Sendable {
    /// Where the last page ended; 0 for the beginning.
    package var after: UInt64
    /// How many are answered at most.
    package var limit: Int

    package init(after: UInt64 = 0, limit: Int = .max) {
        self.after = after
        self.limit = limit
    }

    package static let all = Page()
}
