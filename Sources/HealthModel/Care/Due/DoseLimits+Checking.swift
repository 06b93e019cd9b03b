/// A warning about an unusual dose that was logged.
package enum DoseWarning: String, CaseIterable, Sendable {
    /// More was taken within the period than the plan allows.
    case overMaximum
    /// It was taken too soon after or before another dose.
    case tooSoon
    /// More was taken at once than is planned for this dose.
    case moreThanPlanned
    /// The dose is planned for later, and its time has not begun.
    case early
    /// The plan has no such dose.
    case unplanned
    case paused
    case stopped
    /// Its amount cannot be counted, so that the stock, or a limit on amounts, leaves it out.
    case uncounted
    /// An interaction of the medication is open.
    case finding
}

/// When the next dose is possible, and how many are left.
package struct Allowance: Hashable, Sendable {
    /// From when on another dose is possible; nil if one is possible now.
    package var from: Instant?
    /// How many doses are left in the current period; nil without a maximum number.
    package var left: Int?
    /// Until when `left` holds: then doses have left the period.
    package var until: Instant?

    package init(from: Instant? = nil, left: Int? = nil, until: Instant? = nil) {
        self.from = from
        self.left = left
        self.until = until
    }
}

extension DoseLimits {
    /// Returns when another dose of an amount is possible, after the doses that were taken.
    ///
    /// Nil if there is no limit.
    package func allowance(after doses: [LoggedDose], amount: ExactDecimal?, now: Instant) -> Allowance? {
        guard minimumInterval != nil || maximumDoses != nil || maximumAmount != nil else { return nil }
        let taken = doses.filter { $0.status == .taken && $0.at <= now }.sorted { $0.at < $1.at }
        var from = now
        if let minimumInterval, let last = taken.last { from = max(from, last.at.adding(minutes: minimumInterval)) }
        // The doses leave the period one after the other; the first moment at which enough have left is the answer.
        for dose in taken {
            if !isFull(at: from, taken, amount) { break }
            from = max(from, dose.at.adding(minutes: period))
        }
        let current = taken.filter { now < $0.at.adding(minutes: period) }
        // After more doses than the maximum, several must leave the period before one is left.
        let excess = maximumDoses.map { max(0, current.count - $0) } ?? 0
        return Allowance(
            from: from == now ? nil : from,
            left: maximumDoses.map { left(of: max(0, $0 - current.count), after: current, amount) },
            until: maximumDoses == nil ? nil : current.dropFirst(excess).first?.at.adding(minutes: period)
        )
    }

    /// Returns how many of so many doses the maximum amount leaves.
    private func left(of doses: Int, after current: [LoggedDose], _ amount: ExactDecimal?) -> Int {
        guard let maximumAmount, let amount else { return doses }
        var (left, sum) = (0, current.totalAmount(and: .zero))
        while left < doses, let next = sum.adding(amount), next <= maximumAmount { (left, sum) = (left + 1, next) }
        return left
    }

    /// Whether there are more doses than allowed with one more.
    func exceedsDoses(_ dose: LoggedDose, _ others: [LoggedDose]) -> Bool {
        var alone = self
        alone.maximumAmount = nil
        return alone.exceeded(by: dose, among: others).contains(.overMaximum)
    }

    /// Whether more is taken than allowed with one more dose.
    func exceedsAmount(_ dose: LoggedDose, _ others: [LoggedDose]) -> Bool {
        var alone = self
        alone.maximumDoses = nil
        return alone.exceeded(by: dose, among: others).contains(.overMaximum)
    }

    /// Returns the limits that a dose exceeds, together with other doses.
    package func exceeded(by dose: LoggedDose, among doses: [LoggedDose]) -> [DoseWarning] {
        guard dose.status == .taken else { return [] }
        let others = doses.filter { $0.status == .taken && $0.id != dose.id }
        var warnings: [DoseWarning] = []
        let taken = others + [dose]
        // The period may end at this dose, or at a later one that was logged before.
        let ends = taken.filter { $0.at >= dose.at && $0.at < dose.at.adding(minutes: period) }
        if ends.contains(where: { exceedsMaximum(taken.within(period, until: $0.at)) }) {
            warnings.append(.overMaximum)
        }
        if let minimumInterval {
            let isClose = others.contains {
                ($0.at.microseconds - dose.at.microseconds).magnitude < UInt64(minimumInterval) * 60_000_000
            }
            if isClose { warnings.append(.tooSoon) }
        }
        return warnings
    }

    /// Reports whether another dose would exceed the maximum at a moment.
    private func isFull(at moment: Instant, _ taken: [LoggedDose], _ amount: ExactDecimal?) -> Bool {
        let current = taken.within(period, until: moment)
        if let maximumDoses, current.count + 1 > maximumDoses { return true }
        guard let maximumAmount, let amount else { return false }
        return current.totalAmount(and: amount) > maximumAmount
    }

    private func exceedsMaximum(_ current: [LoggedDose]) -> Bool {
        if let maximumDoses, current.count > maximumDoses { return true }
        guard let maximumAmount else { return false }
        return current.totalAmount(and: .zero) > maximumAmount
    }
}

extension Plan {
    /// The limits with which a dose at a moment is compared.
    ///
    /// A maximum number of doses limits the amount, too: at most 4 doses of 1 tablet are at most 4 tablets, even if 3
    /// are taken at once. The rules of the days around the moment say how much a dose is.
    package func countedLimits(at moment: Instant) -> DoseLimits {
        let day = Day(of: moment)
        let near = rules.filter { rule in
            rule.from.day <= day.adding(days: 1) && rule.until.map { $0.day >= day.adding(days: -1) } ?? true
        }
        var counted = limits
        if counted.maximumAmount == nil, let most = counted.maximumDoses, let largest = near.largestAmount {
            counted.maximumAmount = largest.multiplied(by: ExactDecimal(coefficient: Int64(most), scale: 0))
        }
        return counted
    }
}

extension [PlanRule] {
    /// The largest amount of a dose; nil if one of them is not a number.
    var largestAmount: ExactDecimal? {
        let amounts = flatMap(\.pattern.intakes).map(\.amount)
        return amounts.contains(nil) ? nil : amounts.compactMap(\.self).max()
    }
}

extension Instant {
    package func adding(minutes: Int) -> Instant {
        let (sum, overflow) = microseconds.addingReportingOverflow(Int64(minutes) * 60_000_000)
        return overflow ? Instant(microseconds: minutes < 0 ? .min : .max) : Instant(microseconds: sum)
    }
}

extension [LoggedDose] {
    /// Returns the doses of the period of so many minutes that ends at a moment, which is included.
    fileprivate func within(_ minutes: Int, until end: Instant) -> [LoggedDose] {
        filter { $0.at <= end && $0.at.adding(minutes: minutes) > end }
    }

    fileprivate func totalAmount(and more: ExactDecimal) -> ExactDecimal {
        // A sum of more than 18 digits is above every limit.
        let largest = ExactDecimal(coefficient: .max, scale: 0)
        return compactMap(\.amount).reduce(more) { sum, amount in sum.adding(amount) ?? largest }
    }
}
