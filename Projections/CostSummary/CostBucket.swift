internal import HealthModel

/// What costs are added up by.
///
/// Costs of two buckets are never added.
package struct CostBucket: Hashable, Sendable {
    package var year: Int64
    /// ISO 4217; nil where the source did not say.
    package var currency: String?
    package var category: String?
    /// `total` of the year, or single `item`.
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

/// The costs of one bucket, added up.
package struct CostTotal: Hashable, Sendable {
    package var bucket: CostBucket
    package var sum: ExactSum
    /// How many entries are in the sum.
    package var count: Int

    package init(bucket: CostBucket, sum: ExactSum, count: Int) {
        self.bucket = bucket
        self.sum = sum
        self.count = count
    }
}
