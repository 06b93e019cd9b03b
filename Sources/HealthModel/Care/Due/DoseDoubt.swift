package import FoundationEssentials

/// Why a dose is asked about before it is logged: it is more than the plan allows or has, or is probably a mistake.
///
/// A dose that was taken is recorded all the same, once a person has confirmed it.
package struct DoseDoubt: Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// More than so many doses within a period, in minutes.
        case doses(Int, period: Int)
        /// More than an amount within a period, in minutes.
        case amount(ExactDecimal, period: Int)
        /// Closer to another dose than so many minutes.
        case gap(Int)
        /// More at once than is planned.
        case planned(ExactDecimal)
        /// Before its time has begun; it is planned for this moment.
        case early(Instant)
        /// The same was logged at this moment, within ``sameDoseMinutes``.
        case same(Instant)
        /// Long before the plan begins, on this day: its date may be mistyped.
        case beforePlan(Day)
        /// None is planned then, nor is it taken when needed; the next one is planned for this moment.
        case unplanned(next: Instant?)
    }

    package var cause: Cause
    /// From when on another dose is possible; nil if time does not change it.
    package var possibleFrom: Instant?

    package init(_ cause: Cause, possibleFrom: Instant? = nil) {
        self.cause = cause
        self.possibleFrom = possibleFrom
    }
}

extension Plan {
    /// How long before its plan begins a dose may have been taken without being asked about, in days.
    private static let daysBeforePlan = 31

    /// Returns the doubts to confirm before a dose is logged, with the limits that it exceeds.
    ///
    /// `planned` is the amount that the plan has for it, and `due` the time of a planned dose; `doses` contains those
    /// that count towards the limits.
    package func doubts(
        about dose: LoggedDose,
        planned: ExactDecimal?,
        due: Instant? = nil,
        _ doses: [LoggedDose]
    ) -> [DoseDoubt] {
        guard dose.status == .taken else { return [] }
        let others = doses.filter { $0.id != dose.id }
        let limits = countedLimits(at: dose.at)
        let exceeded = limits.exceeded(by: dose, among: others)
        let from = limits.allowance(after: others, amount: dose.amount, now: dose.at)?.from
        var causes: [DoseDoubt.Cause] = []
        if exceeded.contains(.overMaximum) {
            let period = limits.period
            if let most = limits.maximumDoses, limits.exceedsDoses(dose, others) {
                causes.append(.doses(most, period: period))
            }
            if let most = limits.maximumAmount, limits.exceedsAmount(dose, others),
                self.limits.maximumAmount != nil || causes.isEmpty
            {
                causes.append(.amount(most, period: period))
            }
        }
        if exceeded.contains(.tooSoon), let gap = limits.minimumInterval { causes.append(.gap(gap)) }
        var doubts = causes.map { DoseDoubt($0, possibleFrom: from) }
        if let amount = dose.amount, let planned, amount > planned { doubts.append(DoseDoubt(.planned(planned))) }
        if let due, dose.at < due.adding(minutes: -early) { doubts.append(DoseDoubt(.early(due))) }
        // The same planned dose is recognized by its slot; one taken when needed has none.
        if dose.slot == nil, !dose.isRepeated, let same = others.last(where: { $0.isProbably(dose) }) {
            doubts.append(DoseDoubt(.same(same.at)))
        }
        if let first = rules.map(\.from.day).min(), Day(of: dose.at).adding(days: Self.daysBeforePlan) < first {
            doubts.append(DoseDoubt(.beforePlan(first)))
        }
        return doubts
    }

    /// Returns the warnings about unusual amounts and times of doses, by the doses' ids; nothing for those without.
    package func warnings(of doses: [LoggedDose], among all: [LoggedDose]) -> [UUID: [DoseWarning]] {
        var found: [UUID: [DoseWarning]] = [:]
        let taken = all.filter { $0.status == .taken }.sorted { $0.at < $1.at }
        let reach = max(limits.period, limits.minimumInterval ?? 0)
        for dose in doses where dose.status == .taken {
            var warnings: [DoseWarning] = []
            let limits = countedLimits(at: dose.at)
            if limits.minimumInterval != nil || limits.maximumDoses != nil || limits.maximumAmount != nil {
                let first = taken.partitioningIndex { $0.at > dose.at.adding(minutes: -reach) }
                let end = taken.partitioningIndex { $0.at >= dose.at.adding(minutes: reach) }
                warnings = limits.exceeded(by: dose, among: Array(taken[first..<max(first, end)]))
            }
            if let amount = dose.amount, let planned = dose.plannedAmount, amount > planned {
                warnings.append(.moreThanPlanned)
            }
            if !warnings.isEmpty { found[dose.id] = warnings }
        }
        return found
    }
}

extension LoggedDose {
    /// Whether another dose of the same plan is probably a second report of this one.
    fileprivate func isProbably(_ other: LoggedDose) -> Bool {
        status == other.status && amount == other.amount
            && (at.microseconds - other.at.microseconds).magnitude <= UInt64(sameDoseMinutes) * 60_000_000
    }
}

extension [LoggedDose] {
    /// Returns the first index whose dose fulfils a condition that all later ones fulfil too.
    fileprivate func partitioningIndex(_ isBehind: (LoggedDose) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension DoseDoubt {
    /// The doubt in words; `moment` writes a time by the person's clock, and `unit` is that of the plan.
    package func text(unit: String?, _ moment: (Instant) -> String) -> String {
        func amount(_ number: ExactDecimal) -> String {
            unit.map { "\(number) \(AmountText.unit($0, behind: number))" } ?? number.description
        }
        let limit =
            switch cause {
            case .doses(let most, let period):
                "the plan allows at most \(most) \(most == 1 ? "dose" : "doses") within \(Self.length(period))"
            case .amount(let most, let period): "the plan allows at most \(amount(most)) within \(Self.length(period))"
            case .gap(let minutes): "the plan allows a dose only \(Self.length(minutes)) after another one"
            case .planned(let planned): "the plan has \(amount(planned)) for this dose"
            case .early(let due): "this dose is planned for \(moment(due))"
            case .same(let at): "the same amount is recorded already as taken at \(moment(at))"
            case .beforePlan(let first): "the plan begins only on \(first), long after this dose"
            case .unplanned(let next):
                next.map { "the plan has no dose at that time; the next one is planned for \(moment($0))" }
                    ?? "the plan has no dose at that time"
            }
        return possibleFrom.map { "\(limit): another one is possible from \(moment($0)) on" } ?? limit
    }

    private static func length(_ minutes: Int) -> String {
        minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes) min"
    }
}
