package import FoundationEssentials

/// What a change of a plan is about.
package enum PlanChangeReason: String, CaseIterable, Sendable {
    case dose, schedule, pause, resume, stop, restart, other
}

/// Why a plan was stopped.
package enum StopReason: String, CaseIterable, Sendable {
    case finished, sideEffect, noEffect, replaced, advised, other
}

extension EntryContent {
    /// Which rules of a plan a change replaces.
    package enum Replacement: Hashable, Sendable {
        case all
        /// The others still apply.
        case rule(UUID)
        /// The new rules apply in addition.
        case nothing

        fileprivate func includes(_ rule: UUID?) -> Bool {
            switch self {
            case .all: true
            case .rule(let id): id == rule
            case .nothing: false
            }
        }
    }
}

/// Edits of the plan of a medication or a supplement, each from a moment on.
///
/// They prepare the content for ``EntryCommand/change(_:)``, which checks that the past stays as it was.
extension EntryContent {
    /// Adds a rule.
    package mutating func addRule(_ rule: PlanRule) {
        body[PlanFields.rules] = .list(body.values(PlanFields.rules) + [.group(rule.fieldValues)])
    }

    /// Replaces the pattern of a rule, for a correction: the plan always was so.
    ///
    /// The rule keeps its id, its start and its end. Its times keep their ids, so that doses that were logged for them
    /// still belong to them: first those with the same clock time, then the others in their order.
    package mutating func correctRule(_ rule: UUID, to pattern: PlanRule.Pattern) {
        let rules = body.groups(PlanFields.rules)
            .map { values in
                values.id(PlanFields.Rule.id) == rule ? values.correctedRule(to: pattern) : values
            }
        body[PlanFields.rules] = .list(rules.map { .group($0) })
    }

    /// Replaces what applies from a moment on, or only some rules; a plan that was stopped before then starts again.
    package mutating func changeSchedule(
        to rules: [PlanRule],
        from effective: WallMoment,
        replacing: Replacement = .all
    ) {
        let stopped = body.group(PlanFields.stopped)?.moment(PlanFields.Stop.at)
        let restarts = stopped.map { $0 <= effective } ?? false
        let before = body.groups(PlanFields.rules)
        let kept = before.compactMap { rule -> FieldValues? in
            if !restarts, !replacing.includes(rule.id(PlanFields.Rule.id)) { return rule }
            return rule.ended(at: stopped.map { min($0, effective) } ?? effective)
        }
        body[PlanFields.rules] = .list(kept.map { .group($0) } + rules.map { .group($0.fieldValues) })
        // A stop that lies ahead still applies.
        if restarts || stopped == nil { body[PlanFields.stopped] = nil }
        mark(restarts ? .restart : .schedule, effective)
    }

    /// Pauses the plan; without `until`, it is paused until it is resumed.
    package mutating func pause(from: WallMoment, until: WallMoment?, why: String?) {
        var pause = FieldValues()
        pause[PlanFields.Pause.from] = .text(from.description)
        pause[PlanFields.Pause.until] = until.map { .text($0.description) }
        pause[PlanFields.Pause.why] = why.map { .text($0) }
        body[PlanFields.pauses] = .list(body.values(PlanFields.pauses) + [.group(pause)])
        mark(.pause, from)
    }

    /// Ends the pause that applies at a moment; a pause that begins then is removed.
    package mutating func resume(at moment: WallMoment) throws(ModelError) {
        var pauses = body.groups(PlanFields.pauses)
        let index = pauses.firstIndex { pause in
            let until = pause.moment(PlanFields.Pause.until)
            return (pause.moment(PlanFields.Pause.from).map { $0 <= moment } ?? false)
                && until.map { moment < $0 } ?? true
        }
        guard let index else { throw ModelError(.conflict, "the plan is not paused then") }
        if pauses[index].moment(PlanFields.Pause.from) == moment {
            pauses.remove(at: index)
        } else {
            pauses[index][PlanFields.Pause.until] = .text(moment.description)
        }
        body[PlanFields.pauses] = pauses.isEmpty ? nil : .list(pauses.map { .group($0) })
        mark(.resume, moment)
    }

    /// Ends the plan.
    package mutating func stop(at moment: WallMoment, why: StopReason) {
        var stop = FieldValues()
        stop[PlanFields.Stop.at] = .text(moment.description)
        stop[PlanFields.Stop.why] = .text(why.rawValue)
        body[PlanFields.stopped] = .group(stop)
        mark(.stop, moment)
    }

    private mutating func mark(_ what: PlanChangeReason, _ effective: WallMoment) {
        var change = FieldValues()
        change[PlanFields.Change.effective] = .text(effective.description)
        change[PlanFields.Change.what] = .text(what.rawValue)
        body[PlanFields.lastChange] = .group(change)
    }
}

extension PlanRule.Pattern {
    /// Returns the pattern with the ids and the anchor of an earlier version of it.
    fileprivate func keepingTimes(of earlier: PlanRule.Pattern) -> PlanRule.Pattern {
        guard case .days(var filter, var times) = self, case .days(let oldFilter, let oldTimes) = earlier else {
            return self
        }
        filter.anchor = oldFilter.anchor
        var free = oldTimes
        var open: [Int] = []
        for index in times.indices {
            if let same = free.firstIndex(where: { $0.at == times[index].at }) {
                times[index].id = free.remove(at: same).id
            } else {
                open.append(index)
            }
        }
        for (index, old) in zip(open, free) { times[index].id = old.id }
        return .days(filter, times: times)
    }
}

extension FieldValues {
    /// Returns a rule with another pattern.
    fileprivate func correctedRule(to pattern: PlanRule.Pattern) -> FieldValues {
        typealias Names = PlanFields.Rule
        var corrected = FieldValues()
        for field in [Names.id, Names.from, Names.until, Names.zone] { corrected[field] = self[field] }
        let earlier = PlanRule.Pattern(self)
        (earlier.map { pattern.keepingTimes(of: $0) } ?? pattern).write(to: &corrected)
        return corrected
    }

    /// Returns a rule that ends at a moment at the latest; nil if it begins only then, or later.
    fileprivate func ended(at moment: WallMoment) -> FieldValues? {
        if let from = self.moment(PlanFields.Rule.from), from >= moment { return nil }
        if let until = self.moment(PlanFields.Rule.until), until <= moment { return self }
        var rule = self
        rule[PlanFields.Rule.until] = .text(moment.description)
        return rule
    }
}
