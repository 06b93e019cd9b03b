package import FoundationEssentials

extension PlanRule {
    /// Creates the rules of a dose that is reduced step by step, one rule a step.
    ///
    /// `steps` is text such as `40x5,30x5`: the daily dose, in the unit in which `strength` is the content of one unit
    /// of the plan, and the number of days. Steps that have a semicolon between them may have decimal commas. Throws an
    /// error if a dose is not a whole number of half units.
    package static func taper(
        strength: ExactDecimal,
        from first: Day,
        at time: WallTime,
        steps: String,
        recordedAt: Instant,
        newID: () -> UUID = { UUID() }
    ) throws(ModelError) -> [PlanRule] {
        let malformed = ModelError(
            .invalid,
            field: "steps",
            "write the steps as 40x5,30x5, the dose and the days; with decimal commas, separate them by semicolons: 12,5x3;10x3"
        )
        // A comma between two steps and one within a number cannot be told apart.
        let hasSemicolons = steps.contains(";")
        var day = first
        var rules: [PlanRule] = []
        for step in steps.split(separator: hasSemicolons ? ";" : ",", omittingEmptySubsequences: false) {
            let parts = step.filter { !$0.isWhitespace }.split(separator: "x", omittingEmptySubsequences: false)
            let number = String(parts[0]).replacing(",", with: ".")
            guard parts.count == 2, let dose = try? ExactDecimal(parsing: number), dose > .zero,
                let days = Int(parts[1]), (1...366).contains(days)
            else { throw malformed }
            guard let halves = dose.halves(of: strength) else {
                throw ModelError(.invalid, field: "steps", "a dose must be a whole number of half units")
            }
            let end = day.adding(days: days)
            let intake = Intake(amount: ExactDecimal(coefficient: halves * 5, scale: 1).withoutTrailingZeros)
            rules.append(
                PlanRule(
                    id: newID(),
                    from: WallMoment(day: day),
                    until: WallMoment(day: end),
                    pattern: .days(DayFilter(anchor: day), times: [DoseTime(id: newID(), at: time, intake: intake)]),
                    recordedAt: recordedAt
                )
            )
            day = end
        }
        return rules
    }
}

extension ExactDecimal {
    /// Returns how many halves of another number this one is; nil if not a whole number of them.
    fileprivate func halves(of other: ExactDecimal) -> Int64? {
        let scale = max(scale, other.scale)
        guard other > .zero, let dose = truncated(toScale: scale), let unit = other.truncated(toScale: scale) else {
            return nil
        }
        let (doubled, overflow) = dose.multipliedReportingOverflow(by: 2)
        guard !overflow, doubled % unit == 0, doubled / unit <= 2_000_000 else { return nil }
        return doubled / unit
    }
}
