import FoundationEssentials

/// The rule that a change of a plan leaves its past as it was.
///
/// A dose that was due before the change takes effect stays due. Only a correction can alter that.
enum PlanChange {
    private typealias Names = PlanFields.Rule

    /// Throws unless the new content differs from the old one only from the moment of its last change on.
    static func check(from old: EntryContent, to new: EntryContent) throws(ModelError) {
        guard let change = new.body.group(PlanFields.lastChange),
            let effective = change.moment(PlanFields.Change.effective)
        else { throw ModelError(.invalid, field: "lastChange.effective", "is required for a change of a plan") }
        try checkRules(old.body, new.body, effective)
        try checkPauses(old.body.groups(PlanFields.pauses), new.body.groups(PlanFields.pauses), effective)
    }

    private static func checkRules(
        _ old: FieldValues,
        _ new: FieldValues,
        _ effective: WallMoment
    ) throws(ModelError) {
        let before = old.groups(PlanFields.rules)
        let after = new.groups(PlanFields.rules)
        // A rule that was to begin after the plan was stopped never applied.
        let stop = old.group(PlanFields.stopped)?.moment(PlanFields.Stop.at)
        let first = [effective, stop].compactMap(\.self).min() ?? effective
        let known = Dictionary(before.compactMap { rule in rule.id(Names.id).map { ($0, rule) } }) { first, _ in first }
        let kept = Dictionary(after.compactMap { rule in rule.id(Names.id).map { ($0, rule) } }) { first, _ in first }
        for (index, rule) in before.enumerated() where !hasNotBegun(rule, by: first) {
            guard let id = rule.id(Names.id), let later = kept[id] else {
                throw conflict("rules.\(index)", "a rule that applied before the change must be kept, with an end")
            }
            var (unended, laterUnended) = (rule, later)
            unended[Names.until] = nil
            laterUnended[Names.until] = nil
            guard unended == laterUnended else {
                throw conflict("rules.\(index)", "a rule that applied before the change can only be ended by it")
            }
            let (end, laterEnd) = (end(of: rule, in: old), end(of: later, in: new))
            if end == laterEnd { continue }
            if let end, end < effective { throw conflict("rules.\(index)", "ended before the change takes effect") }
            if let laterEnd, laterEnd < effective {
                throw conflict("rules.\(index)", "must not end before the change takes effect")
            }
        }
        for (index, rule) in after.enumerated() {
            if let id = rule.id(Names.id), let earlier = known[id], !hasNotBegun(earlier, by: first) { continue }
            guard let from = rule.moment(Names.from), from >= effective else {
                throw conflict("rules.\(index)", "a new rule must begin when the change takes effect, or later")
            }
        }
    }

    /// Returns when a rule ends, by itself or because the plan was stopped.
    private static func end(of rule: FieldValues, in plan: FieldValues) -> WallMoment? {
        let stop = plan.group(PlanFields.stopped)?.moment(PlanFields.Stop.at)
        return [rule.moment(Names.until), stop].compactMap(\.self).min()
    }

    private static func hasNotBegun(_ rule: FieldValues, by effective: WallMoment) -> Bool {
        rule.moment(Names.from).map { $0 >= effective } ?? false
    }

    private static func checkPauses(
        _ before: [FieldValues],
        _ after: [FieldValues],
        _ effective: WallMoment
    ) throws(ModelError) {
        func start(_ pause: FieldValues) -> WallMoment? { pause.moment(PlanFields.Pause.from) }
        func end(_ pause: FieldValues) -> WallMoment? { pause.moment(PlanFields.Pause.until) }
        for (index, pause) in before.enumerated() {
            guard let from = start(pause), from < effective else { continue }
            guard let later = after.first(where: { start($0) == from }) else {
                throw conflict("pauses.\(index)", "a pause that began before the change must be kept")
            }
            if end(later) == end(pause) { continue }
            if let end = end(pause), end < effective {
                throw conflict("pauses.\(index)", "ended before the change takes effect")
            }
            if let end = end(later), end < effective {
                throw conflict("pauses.\(index)", "must not end before the change takes effect")
            }
        }
        for (index, pause) in after.enumerated() {
            guard let from = start(pause), from < effective, !before.contains(where: { start($0) == from }) else {
                continue
            }
            throw conflict("pauses.\(index)", "a new pause must begin when the change takes effect, or later")
        }
    }

    private static func conflict(_ field: String, _ text: Message) -> ModelError {
        ModelError(.scheduleConflict, field: field, text)
    }
}
