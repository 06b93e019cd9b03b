/// Which rules of a plan apply at a moment.
///
/// Moments are those of the clock by which the rule is read.
extension PlanRule {
    /// Whether the rule applies at a moment, unless its plan is stopped or paused then.
    package func applies(at moment: WallMoment) -> Bool { from <= moment && !hasEnded(at: moment) }

    /// Whether the rule applies neither at a moment nor later.
    package func hasEnded(at moment: WallMoment) -> Bool {
        // A single dose that is over applies no longer, although it has no end.
        if case .once(let at, _) = pattern, at < moment { return true }
        return until.map { $0 <= moment } ?? false
    }
}

extension Plan {
    /// Whether the plan is stopped at a moment.
    package func isStopped(at moment: WallMoment) -> Bool { stopped.map { $0 <= moment } ?? false }

    /// Returns the rules that apply at a moment.
    package func rules(at moment: WallMoment) -> [PlanRule] {
        isStopped(at: moment) ? [] : rules.filter { $0.applies(at: moment) }
    }

    /// Returns the rules that apply at a moment or later.
    package func rules(from moment: WallMoment) -> [PlanRule] {
        if isStopped(at: moment) { return [] }
        return rules.filter { rule in !rule.hasEnded(at: moment) && !isStopped(at: rule.from) }
    }

    /// Whether a dose may be taken at a moment: the plan is neither stopped nor paused then, and one of its rules applies, if
    /// it has any.
    package func isInUse(at moment: WallMoment) -> Bool {
        !isStopped(at: moment) && !isPaused(at: moment) && (rules.isEmpty || !rules(at: moment).isEmpty)
    }

    /// Whether doses are never due.
    package var isAsNeeded: Bool {
        rules.allSatisfy { if case .asNeeded = $0.pattern { true } else { false } }
    }

    /// Whether a dose at a moment may be one that is taken when needed.
    package func isTakenWhenNeeded(at moment: WallMoment) -> Bool {
        if rules.isEmpty { return true }
        if isStopped(at: moment) { return false }
        return rules.contains { rule in
            guard case .asNeeded = rule.pattern else { return false }
            // A dose that was taken before its plan was recorded is one of the plan, unless it may be a planned one.
            return isAsNeeded ? !rule.hasEnded(at: moment) : rule.applies(at: moment)
        }
    }

    /// Whether a dose at a moment, which fills no planned dose, was not taken when needed either.
    package func isOutside(_ dose: LoggedDose, at moment: WallMoment) -> Bool {
        dose.slot != nil || dose.isRepeated || !isTakenWhenNeeded(at: moment)
    }
}
