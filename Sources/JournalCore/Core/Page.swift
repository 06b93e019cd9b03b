package import HealthModel

/// The requested part of a long list.
package struct Page: Hashable, Sendable {
    /// The position where the last page ended; 0 for the beginning.
    package var after: UInt64
    /// If set, the newest items come first, and all are older than this position.
    ///
    /// If nil, the items come in the order in which they were recorded.
    package var before: UInt64?
    /// The maximum number of items; of each kind, if the newest come first.
    package var limit: Int
    /// The maximum numbers of items of some kinds, if the newest come first; of the others, it is `limit`.
    package var limits: [Kind: Int] = [:]

    package init(after: UInt64 = 0, limit: Int = .max) {
        self.after = after
        self.limit = limit
    }

    /// Returns a page with the newest items first.
    package static func newest(_ limit: Int, of limits: [Kind: Int] = [:], before position: UInt64 = .max) -> Page {
        var page = Page(limit: limit)
        page.limits = limits
        page.before = position
        return page
    }

    package static let all = Page()
}
