/// Which part of a long list is asked for.
package struct Page: Hashable, Sendable {
    /// Where the last page ended; 0 for the beginning.
    package var after: UInt64
    /// The newest come first, and all are older than this; nil for the order in which they came.
    package var before: UInt64?
    /// How many are answered at most: of each kind, where the newest come first.
    package var limit: Int
    /// The same of kinds that are needed in a hurry, where the newest come first; nil for no more than of the others.
    package var urgentLimit: Int?

    package init(after: UInt64 = 0, limit: Int = .max) {
        self.after = after
        self.limit = limit
    }

    /// The newest first.
    package static func newest(_ limit: Int, ofUrgent urgent: Int? = nil, before position: UInt64 = .max) -> Page {
        var page = Page(limit: limit)
        page.urgentLimit = urgent
        page.before = position
        return page
    }

    package static let all = Page()
}
