import FoundationEssentials

/// The rules between the fields of a plan, in addition to the rules of each field.
enum PlanCheck {
    private typealias Names = PlanFields.Rule

    /// The maximum number of rules without an end.
    static let openRules = 16

    /// Throws an error that names the field if the plan of a medication or a supplement is inconsistent.
    static func check(_ content: EntryContent, now: Instant) throws(ModelError) {
        let body = content.body
        let rules = body.groups(PlanFields.rules)
        if !rules.isEmpty, body[Drug.name] == nil, body[Drug.rawText] == nil {
            throw ModelError(.invalid, field: Drug.name.name, "is required for a plan")
        }
        var ids: Set<UUID> = []
        for (index, rule) in rules.enumerated() { try check(rule, path: "rules.\(index)", ids: &ids) }
        if rules.count(where: { $0[Names.until] == nil }) > openRules {
            throw ModelError(.invalid, field: "rules", "has more than \(openRules) rules without an end")
        }
        try checkPauses(body.groups(PlanFields.pauses))
        if let maximum = body.group(PlanFields.maximum) {
            guard maximum[PlanFields.Maximum.doses] != nil || maximum[PlanFields.Maximum.amount] != nil else {
                throw ModelError(.invalid, field: "maximum", "needs a number of doses or an amount")
            }
        }
    }

    private static func check(_ rule: FieldValues, path: String, ids: inout Set<UUID>) throws(ModelError) {
        guard let pattern = rule.text(Names.pattern) else { return }
        let used = Set(required(by: pattern) + optional(for: pattern) + common)
        for field in Names.all where rule[field] != nil && !used.contains(field) {
            throw ModelError(.invalid, field: "\(path).\(field.name)", "is not used by the pattern \(pattern)")
        }
        for field in required(by: pattern) where rule[field] == nil {
            throw ModelError(.invalid, field: "\(path).\(field.name)", "is required by the pattern \(pattern)")
        }
        if let from = rule.moment(Names.from), let until = rule.moment(Names.until), until <= from {
            throw ModelError(.scheduleConflict, field: path, "the end of a rule must be after its start")
        }
        if (rule[Names.daysOn] == nil) != (rule[Names.daysOff] == nil) {
            throw ModelError(.invalid, field: path, "a cycle needs both the days on and the days off")
        }
        if rule[Names.everyDays] != nil || rule[Names.daysOn] != nil, rule[Names.anchor] == nil {
            throw ModelError(.invalid, field: "\(path).anchor", "is required to count the days")
        }
        try check(id: rule.id(Names.id), path: path, ids: &ids)
        var times: [String: Int] = [:]
        for (index, time) in rule.groups(Names.times).enumerated() {
            let place = "\(path).times.\(index)"
            try check(id: time.id(PlanFields.Time.id), path: place, ids: &ids)
            try checkAmount(time, path: place)
            guard let at = time.text(PlanFields.Time.at) else { continue }
            if let other = times.updateValue(index, forKey: at) {
                throw ModelError(.scheduleConflict, field: place, "has the same time as \(path).times.\(other)")
            }
        }
        if let intake = rule.group(Names.intake) { try checkAmount(intake, path: "\(path).intake") }
    }

    private static func check(id: UUID?, path: String, ids: inout Set<UUID>) throws(ModelError) {
        guard let id, !ids.insert(id).inserted else { return }
        throw ModelError(.invalid, field: "\(path).id", "is the id of another rule or time of the plan")
    }

    private static func checkAmount(_ intake: FieldValues, path: String) throws(ModelError) {
        guard let amount = intake.decimal(PlanFields.Intake.amount), amount <= .zero else { return }
        throw ModelError(.invalid, field: "\(path).amount", "must be greater than 0")
    }

    private static func checkPauses(_ pauses: [FieldValues]) throws(ModelError) {
        var spans: [(from: WallMoment, until: WallMoment?)] = []
        for (index, pause) in pauses.enumerated() {
            guard let from = pause.moment(PlanFields.Pause.from) else { continue }
            let until = pause.moment(PlanFields.Pause.until)
            if let until, until <= from {
                throw ModelError(.scheduleConflict, field: "pauses.\(index)", "must end after its start")
            }
            let overlaps = spans.contains { other in
                (other.until.map { from < $0 } ?? true) && (until.map { other.from < $0 } ?? true)
            }
            if overlaps { throw ModelError(.scheduleConflict, field: "pauses.\(index)", "overlaps another pause") }
            spans.append((from, until))
        }
    }

    private static let common = [Names.id, Names.from, Names.until, Names.zone, Names.pattern]

    private static func required(by pattern: String) -> [Field] {
        switch pattern {
        case Names.days: [Names.times]
        case Names.interval, Names.afterLast: [Names.every, Names.start]
        case Names.once: [Names.at]
        default: []
        }
    }

    private static func optional(for pattern: String) -> [Field] {
        switch pattern {
        case Names.days:
            [Names.everyDays, Names.weekdays, Names.monthDays, Names.daysOn, Names.daysOff, Names.anchor]
        default: [Names.intake]
        }
    }
}
