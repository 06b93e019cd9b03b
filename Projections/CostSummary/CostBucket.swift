internal import HealthModel

/// The key by which costs are summed.
///
/// Costs of different buckets are never added together.
package struct CostBucket: Hashable, Sendable {
    package var year: Int64
    /// The ISO 4217 code; nil if the source gave none.
    package var currency: String?
    package var category: String?
    /// `total` for a total of the year, or `item` for a single cost.
    package var basis: String

    package init(year: Int64, currency: String?, category: String?, basis: String) {
        self.year = year
        self.currency = currency
        self.category = category
        self.basis = basis
    }

    init?(_ content: EntryContent) {
        guard content.kind == Cost.kind, let year = content.body.integer(Cost.year) else { return nil }
        self.init(
            year: year,
            currency: content.body.text(Cost.currency),
            category: content.body.text(Cost.category),
            basis: content.body.text(Cost.basis) ?? Cost.item
        )
    }
}

/// The sum of the costs in one bucket.
package struct CostTotal: Hashable, Sendable {
    package var bucket: CostBucket
    package var sum: ExactSum
    /// The number of entries in the sum.
    package var count: Int

    package init(bucket: CostBucket, sum: ExactSum, count: Int) {
        self.bucket = bucket
        self.sum = sum
        self.count = count
    }
}
