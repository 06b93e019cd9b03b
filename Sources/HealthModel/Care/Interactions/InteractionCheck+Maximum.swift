internal import FoundationEssentials

extension InteractionCheck {
    /// For how long ahead planned doses are added up, in minutes.
    private static let ahead = 7 * 1_440

    /// Adds up how much of a substance all plans contain within 24 hours.
    mutating func checkMaximums() {
        for (set, rule) in index.rules(.maximum) {
            guard let limit = rule.limit else { continue }
            var intakes: [SubstanceIntake] = []
            var parties: [InteractionFinding.Party] = []
            for matched in plans where matched.plan.question != .asked {
                guard index.names(rule.a, of: set, matched.keys) else { continue }
                guard let own = self.intakes(of: matched, rule, set, limit.dimension) else {
                    skip(matched.plan, "how much in a day")
                    continue
                }
                intakes += own
                parties.append(matched.party)
            }
            guard let sum = SubstanceIntake.greatestDailySum(of: intakes), sum > limit.value else { continue }
            let amount = SubstanceAmount(sum, limit.dimension).text
            var finding = InteractionFinding(rule, of: index.sets[set], parties, namespace)
            finding.effect += " Together it is \(amount) within 24 hours, by what was taken and what is planned."
            add(finding)
        }
    }

    /// Returns what was taken of the substances of a rule in the last 24 hours, and what is planned for the next days.
    ///
    /// Nil if it is not known how much a unit contains, or how much a dose is.
    private func intakes(
        of matched: Matched,
        _ rule: InteractionRule,
        _ set: Int,
        _ dimension: SubstanceAmount.Dimension
    ) -> [SubstanceIntake]? {
        var strength: ExactDecimal? = .zero
        let own = matched.plan.substances.filter { substance in
            index.names(rule.a, of: set, index.keys(of: index.resolve(FoldedName(substance.name))))
        }
        if own.isEmpty { return nil }
        for substance in own {
            guard let known = substance.strength, known.dimension == dimension else { return nil }
            strength = strength?.adding(known.value)
        }
        guard let strength else { return nil }
        let plan = matched.plan
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
