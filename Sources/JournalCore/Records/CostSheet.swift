package import CostSummary
package import FoundationEssentials
internal import HealthModel
package import Interchange

/// Costs as lines: each category, followed by the sum if there are several.
///
/// Only amounts that may be added together are added.
package struct CostSheet {
    package struct Line {
        package var year: Int64
        package var currency: String?
        package var basis: String
        /// Nil for entries without a category; ``CostSheet/sumOfCategories`` for the line that adds up the categories.
        package var category: String?
        package var isSum: Bool
        package var sum: ExactSum
        package var count: Int

        package init(
            year: Int64,
            currency: String?,
            basis: String,
            category: String?,
            isSum: Bool,
            sum: ExactSum,
            count: Int
        ) {
            self.year = year
            self.currency = currency
            self.basis = basis
            self.category = category
            self.isSum = isSum
            self.sum = sum
            self.count = count
        }
    }

    package let lines: [Line]

    /// The text in place of a category in a line that adds up several categories.
    package static let sumOfCategories = "= all categories"

    /// Creates the lines of one year, or all years, and of one currency, or all currencies.
    package init(_ totals: [CostTotal], year: Int64? = nil, currency: String? = nil) {
        let totals = totals.filter { total in
            (year == nil || total.bucket.year == year)
                && (currency == nil || total.bucket.currency == currency?.uppercased())
        }
        var lines: [Line] = []
        var rest = totals[...]
        while let first = rest.first {
            let group = rest.prefix { $0.bucket.isSummed(with: first.bucket) }
            rest = rest.dropFirst(group.count)
            for total in group { lines.append(Line(total, category: total.bucket.category, isSum: false)) }
            guard group.count > 1 else { continue }
            let sum = CostTotal(
                bucket: first.bucket,
                sum: group.reduce(ExactSum()) { $0 + $1.sum },
                count: group.reduce(0) { $0 + $1.count }
            )
            lines.append(Line(sum, category: CostSheet.sumOfCategories, isSum: true))
        }
        self.lines = lines
    }
}

extension CostSheet.Line {
    fileprivate init(_ total: CostTotal, category: String?, isSum: Bool) {
        self.init(
            year: total.bucket.year,
            currency: total.bucket.currency,
            basis: total.bucket.basis,
            category: category,
            isSum: isSum,
            sum: total.sum,
            count: total.count
        )
    }

    package func listed(_ record: UUID, displayName: String? = nil) -> JSONValue {
        var members: [JSONValue.Member] = [.init("record", .string(record.text))]
        if let displayName { members.append(.init("displayName", .string(displayName))) }
        members += [
            .init("year", .integer(year)), .init("currency", currency.map { .string($0) } ?? .null),
            .init("basis", .string(basis)),
        ]
        if isSum {
            members.append(.init("sumOfCategories", .bool(true)))
        } else {
            members.append(.init("category", category.map { .string($0) } ?? .null))
        }
        return .object(members + [.init("amount", .string(sum.description)), .init("entries", .integer(count))])
    }
}

extension CostBucket {
    /// Reports whether two buckets may be added: both are of one year, one currency and one basis.
    ///
    /// Without a currency, the amounts are not known to be in the same currency.
    fileprivate func isSummed(with other: CostBucket) -> Bool {
        year == other.year && currency == other.currency && basis == other.basis && currency != nil
            || self == other
    }
}
