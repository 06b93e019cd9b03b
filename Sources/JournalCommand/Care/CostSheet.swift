import CostSummary
import FoundationEssentials
import HealthModel
import Interchange

/// Costs as lines: each category, and behind several of them what they come to.
///
/// Only what may be added is added.
struct CostSheet {
    struct Line {
        var year: Int64
        var currency: String?
        var basis: String
        /// Nil for entries without one; "all" stands for the line that adds up the categories.
        var category: String?
        var isSum: Bool
        var sum: ExactSum
        var count: Int
    }

    let lines: [Line]

    init(_ totals: [CostTotal]) {
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
            lines.append(Line(sum, category: "= all categories", isSum: true))
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

    func listed(_ record: UUID) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("record", .string(record.text)), .init("year", .integer(year)),
            .init("currency", currency.map { .string($0) } ?? .null), .init("basis", .string(basis)),
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
    /// Of one year, one currency and one basis; without a currency nothing is known to be the same money.
    fileprivate func isSummed(with other: CostBucket) -> Bool {
        year == other.year && currency == other.currency && basis == other.basis && currency != nil
            || self == other
    }
}
