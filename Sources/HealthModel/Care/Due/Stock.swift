package import FoundationEssentials

/// A change of the stock of a plan, or a count of it: the typed form of an entry of the kind `supply`.
package struct StockChange: Hashable, Sendable {
    package var id: UUID
    package var what: Supply.What
    package var amount: ExactDecimal
    package var at: Instant
    /// The last day on which it may be used.
    package var expires: Day?

    package init(id: UUID, what: Supply.What, amount: ExactDecimal, at: Instant, expires: Day? = nil) {
        self.id = id
        self.what = what
        self.amount = amount
        self.at = at
        self.expires = expires
    }
}

/// The stock of a plan at one moment, computed from when things happened and not from when they were recorded.
package struct Stock: Hashable, Sendable {
    /// Nil if it is not known: nothing was ever recorded, or more was taken than there was.
    package var level: ExactDecimal?
    /// When more had been taken than there was.
    package var unknownSince: Instant?
    /// The last count.
    package var counted: Instant?
    /// The counts that differ from the computed level.
    package var differences: [Difference]
    /// The remaining stock, by date of expiry, the first to expire first.
    package var packs: [Pack]
    /// How many doses were taken, since the level was last known for certain, whose amount cannot be counted.
    ///
    /// The level does not contain them.
    package var uncounted: Int

    package init(
        level: ExactDecimal?,
        unknownSince: Instant?,
        counted: Instant?,
        differences: [Difference],
        packs: [Pack],
        uncounted: Int = 0
    ) {
        self.level = level
        self.unknownSince = unknownSince
        self.counted = counted
        self.differences = differences
        self.packs = packs
        self.uncounted = uncounted
    }

    package struct Difference: Hashable, Sendable {
        package var at: Instant
        package var computed: ExactDecimal
        package var counted: ExactDecimal

        package init(at: Instant, computed: ExactDecimal, counted: ExactDecimal) {
            self.at = at
            self.computed = computed
            self.counted = counted
        }
    }

    package struct Pack: Hashable, Sendable {
        package var amount: ExactDecimal
        /// Nil if no date was recorded.
        package var expires: Day?

        package init(amount: ExactDecimal, expires: Day? = nil) {
            self.amount = amount
            self.expires = expires
        }
    }
}

extension Stock {
    /// Computes the stock at a moment; `doses` contains those of the plan since its last count.
    package init(_ changes: [StockChange], doses: [LoggedDose], at moment: Instant) {
        var steps = changes.filter { $0.at <= moment }
            .map { change in Step(at: change.at, id: change.id, effect: .change(change)) }
        steps += doses.filter { $0.status == .taken && $0.at <= moment }
            .map { dose in Step(at: dose.at, id: dose.id, effect: .taken(dose.amount)) }
        // What happened at the moment of a count is part of the count.
        steps.sort { ($0.at, $0.isCount ? 1 : 0, $0.id.text) < ($1.at, $1.isCount ? 1 : 0, $1.id.text) }
        self.init(level: nil, unknownSince: nil, counted: nil, differences: [], packs: [])
        for step in steps { take(step) }
        if let level {
            packs = Stock.packs(changes.filter { $0.what == .received && $0.at <= moment }, level: level)
        }
    }

    private struct Step {
        let at: Instant
        let id: UUID
        let effect: Effect

        enum Effect {
            case change(StockChange)
            /// Without an amount, it cannot be counted.
            case taken(ExactDecimal?)
        }

        var isCount: Bool { if case .change(let change) = effect { change.what == .counted } else { false } }
    }

    private mutating func take(_ step: Step) {
        switch step.effect {
        case .change(let change) where change.what == .counted:
            if let level, level != change.amount {
                differences.append(Difference(at: change.at, computed: level, counted: change.amount))
            }
            (level, unknownSince, counted, uncounted) = (change.amount, nil, change.at, 0)
        case .change(let change) where change.what == .received:
            guard unknownSince == nil else { return }
            add(change.amount, step.at, to: level ?? .zero)
        case .change(let change):
            if let level { add(-change.amount, step.at, to: level) }
        case .taken(let amount):
            // Before anything was received, the stock is not counted.
            guard let level else { return }
            if let amount { add(-amount, step.at, to: level) } else { uncounted += 1 }
        }
    }

    private mutating func add(_ amount: ExactDecimal, _ at: Instant, to current: ExactDecimal) {
        // A sum of fractions may have too many digits.
        guard let sum = current.adding(amount) else {
            (level, uncounted) = (current, uncounted + 1)
            return
        }
        level = sum < .zero ? nil : sum.withoutTrailingZeros
        if level == nil { unknownSince = at }
    }

    /// Returns of what the stock consists, if the packs that expire first were used first.
    private static func packs(_ received: [StockChange], level: ExactDecimal) -> [Pack] {
        var amounts: [Day: ExactDecimal] = [:]
        for change in received {
            let day = change.expires ?? .never
            amounts[day] = (amounts[day] ?? .zero).adding(change.amount) ?? level
        }
        var left: [Day: ExactDecimal] = [:]
        var rest = level
        for (day, amount) in amounts.sorted(by: { $0.key > $1.key }) {
            left[day] = min(amount, rest)
            rest = rest.adding(-min(amount, rest)) ?? .zero
        }
        // A count may find more than was received.
        left[.never] = (left[.never] ?? .zero).adding(rest) ?? rest
        return left.filter { $0.value > .zero }.sorted { $0.key < $1.key }
            .map { Pack(amount: $0.value, expires: $0.key == .never ? nil : $0.key) }
    }

    /// Returns the first dose that the stock does not cover; nil if it covers all of them.
    ///
    /// Doses without an amount need nothing. Packs are used in the order of their expiry, and not after it.
    package func firstUncovered(of doses: some Sequence<Due>) -> Due? {
        guard level != nil else { return nil }
        var packs = packs
        for dose in doses {
            guard var needed = dose.intake.amount else { continue }
            packs.removeAll { $0.expires.map { $0 < dose.wall.day } ?? false }
            while needed > .zero, !packs.isEmpty {
                let used = min(needed, packs[0].amount)
                needed = needed.adding(-used) ?? .zero
                packs[0].amount = packs[0].amount.adding(-used) ?? .zero
                if packs[0].amount <= .zero { packs.removeFirst() }
            }
            if needed > .zero { return dose }
        }
        return nil
    }
}

extension Day {
    /// A day after all others, for what does not expire.
    fileprivate static let never = Day(daysSince1970: .max)
}

extension StockChange {
    /// Decodes an entry of the kind `supply`; nil if a required value is missing.
    package init?(id: UUID, _ content: EntryContent) {
        let body = content.body
        guard content.kind == Supply.kind, let what = body.text(Supply.what).flatMap(Supply.What.init),
            let amount = body.decimal(Supply.amount), let at = content.instant
        else { return nil }
        self.init(id: id, what: what, amount: amount, at: at, expires: body.day(Supply.expires))
    }
}
