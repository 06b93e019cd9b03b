internal import FoundationEssentials

extension InteractionCheck {
    /// For how long ahead planned doses are added up, in minutes.
    private static let ahead = 7 * 1_440

    /// Adds up how much of a substance all plans contain within 24 hours.
    ///
    /// Medication taken when needed counts as often as its plan allows: the times are not known in advance.
    mutating func checkMaximums() {
        for (set, rule) in index.rules(.maximum) {
            guard let limit = rule.limit else { continue }
            var all: [SubstanceIntake] = []
            var planned: [SubstanceIntake] = []
            var asNeeded: ExactDecimal? = .zero
            var uncounted: [String] = []
            var parties: [InteractionFinding.Party] = []
            for matched in plans where matched.plan.question != .asked {
                guard index.names(rule.a, of: set, matched.keys) else { continue }
                guard let strength = strength(of: matched, rule, set, limit.dimension),
                    let own = intakes(of: matched.plan, strength)
                else {
                    skip(matched.plan, "how much in a day: its strength or a dose is not known")
                    uncounted.append(matched.plan.name)
                    continue
                }
                all += own
                parties.append(matched.party)
                guard matched.plan.plan.mayBeNeeded(from: wall(0), until: wall(Self.ahead)) else {
                    planned += own
                    continue
                }
                guard let most = matched.plan.plan.mostInADay(from: wall(0))?.multiplied(by: strength) else {
                    let why =
                        matched.plan.plan.hasLimits
                        ? "a dose is not known" : "it is taken when needed and its plan has no limit"
                    skip(matched.plan, "how much in a day: \(why)")
                    planned += own
                    uncounted.append(matched.plan.name)
                    continue
                }
                let sum = SubstanceIntake.greatestDailySum(of: own) ?? .zero
                asNeeded = asNeeded?.adding(max(most, sum))
            }
            let sum = SubstanceIntake.greatestDailySum(of: all) ?? .zero
            let possible = asNeeded?.adding(SubstanceIntake.greatestDailySum(of: planned) ?? .zero) ?? sum
            guard max(sum, possible) > limit.value else { continue }
            var finding = InteractionFinding(rule, of: index.sets[set], parties, namespace)
            func amount(_ value: ExactDecimal) -> String { SubstanceAmount(value, limit.dimension).text }
            finding.effect +=
                sum > limit.value
                ? " Together it is \(amount(sum)) within 24 hours, by what was taken and what is planned."
                : " Together it can be \(amount(possible)) within 24 hours, if what is taken when needed is taken as often as its plan allows."
            if !uncounted.isEmpty { finding.effect += " Not counted completely: \(uncounted.joined(separator: ", "))." }
            add(finding)
        }
    }

    /// The person's clock so many minutes from now.
    private func wall(_ minutes: Int) -> WallMoment { clocks.person.wall(at: now.adding(minutes: minutes)) }

    /// Returns how much of the substances of a rule a unit of a plan contains; nil if it is not known.
    private func strength(
        of matched: Matched,
        _ rule: InteractionRule,
        _ set: Int,
        _ dimension: SubstanceAmount.Dimension
    ) -> ExactDecimal? {
        var strength: ExactDecimal? = .zero
        let own = matched.plan.substances.filter { substance in
            index.names(rule.a, of: set, index.keys(of: index.resolve(FoldedName(substance.name))))
        }
        if own.isEmpty { return nil }
        for substance in own {
            guard let known = substance.strength, known.dimension == dimension else { return nil }
            strength = strength?.adding(known.value)
        }
        return strength
    }

    /// Returns the intakes of the last 24 hours, and those planned for the next days; nil if the amount of a dose
    /// is not known.
    private func intakes(of plan: CheckedPlan, _ strength: ExactDecimal) -> [SubstanceIntake]? {
        let yesterday = now.adding(minutes: -1_440)
        var doses: [(at: Instant, amount: ExactDecimal?)] = plan.doses
            .filter { $0.status == .taken && $0.at > yesterday && $0.at <= now }.map { ($0.at, $0.amount) }
        let logged = Set(plan.doses.compactMap(\.slot))
        let end = now.adding(minutes: InteractionCheck.ahead)
        guard let due = try? plan.plan.due(from: now, until: end, clocks, doses: plan.doses) else { return nil }
        doses += due.filter { !logged.contains($0.slot) && !plan.plan.isPaused(at: $0.wall) }
            .map { ($0.due, $0.intake.amount) }
        var intakes: [SubstanceIntake] = []
        for dose in doses {
            guard let amount = dose.amount, let taken = amount.multiplied(by: strength) else { return nil }
            intakes.append(SubstanceIntake(at: dose.at, amount: taken))
        }
        return intakes
    }
}

extension Plan {
    /// Whether doses may be taken when needed at some moment between two others: it has a rule for them, or no rules,
    /// and is not paused during the whole time.
    fileprivate func mayBeNeeded(from: WallMoment, until: WallMoment) -> Bool {
        if isPaused(at: from), isPaused(at: until) { return false }
        return rules.isEmpty
            || rules(from: from)
                .contains { rule in
                    guard case .asNeeded = rule.pattern else { return false }
                    return rule.from <= until
                }
    }

    fileprivate var hasLimits: Bool {
        limits.minimumInterval != nil || limits.maximumDoses != nil || limits.maximumAmount != nil
    }

    /// The largest amount, in the unit of the plan, that its limits allow within 24 hours from a moment on, with doses of
    /// the usual size; nil without a limit, or if it cannot be counted.
    fileprivate func mostInADay(from moment: WallMoment) -> ExactDecimal? {
        func times(within minutes: Int) -> Int { (1_440 + minutes - 1) / max(1, minutes) }
        func multiplied(_ amount: ExactDecimal?, by number: Int) -> ExactDecimal? {
            amount?.multiplied(by: ExactDecimal(coefficient: Int64(number), scale: 0))
        }
        let single = rules(from: moment).largestAmount
        let periods = times(within: limits.period)
        return [
            multiplied(limits.maximumAmount, by: periods),
            limits.maximumDoses.flatMap { multiplied(single, by: $0 * periods) },
            limits.minimumInterval.flatMap { $0 > 0 ? multiplied(single, by: times(within: $0)) : nil },
        ]
        .compactMap(\.self).min()
    }
}
