import FoundationEssentials
import HealthModel

/// Reads a medication or a supplement: its plan, and the doses that its schedule marks as taken or skipped.
struct MangoPlanReader {
    private typealias Rule = PlanFields.Rule

    private let id: UUID
    private let object: MangoObject
    private let dates: MangoDates
    private let now: Instant
    private(set) var content: EntryContent
    /// The doses with their paths; their ids follow from the plan.
    private(set) var doses: [(id: UUID, content: EntryContent, path: DocumentPath)] = []
    /// Paths of values that are kept without interpretation.
    private(set) var unrepresented: [String] = []
    /// Paths of values that contradict others; both are kept.
    private(set) var contradictions: [String] = []

    init(
        _ object: MangoObject,
        id: UUID,
        of collection: MangoCollection,
        dates: MangoDates,
        now: Instant
    ) throws(ModelError) {
        (self.id, self.object, self.dates, self.now) = (id, object, dates, now)
        content = EntryContent(kind: collection.kind)
        content.body[Drug.name] = try object.text("name", maximum: Limits.line).map { .text($0) }
        content.body[Drug.dosage] = try object.text("dosage", maximum: Limits.line).map { .text($0) }
        content.comment = try object.text("notes") ?? ""
        content.voiceEntryUsed = try object.flag("voiceEntryUsed") ?? false
        if collection == .medications {
            let prescriber = try object.text("prescribedBy", maximum: Limits.line)
            content.body[PlanFields.prescribedBy] = prescriber.map { .text($0) }
        } else {
            content.body[Supplement.purpose] = try object.text("purpose", maximum: Limits.line).map { .text($0) }
            content.body[Supplement.brand] = try object.text("brand", maximum: Limits.line).map { .text($0) }
        }
        try readPlan(hasDates: collection == .medications)
    }

    private mutating func readPlan(hasDates: Bool) throws(ModelError) {
        let created = try object.instant(MangoNames.created)
        let start = hasDates ? try object.instant("startDate") : nil
        content.date = start.map { .instant($0) }
        let from = (start ?? created).map { WallMoment(day: dates.wall($0).day) }
        let until = hasDates ? try end(after: from) : nil
        let frequency = try frequency()
        let items = try object.objects("schedule")
        try readRules(items, frequency, from, until)
        if try object.flag("isActive") == false {
            let last = try object.instant(MangoNames.updated) ?? start ?? created
            var pause = FieldValues()
            let begin = last.map(dates.wall) ?? WallMoment(day: Day(daysSince1970: 0))
            pause[PlanFields.Pause.from] = .text(begin.description)
            content.body[PlanFields.pauses] = .list([.group(pause)])
            content.inferred.append(PlanFields.pauses.name)
        }
        if MangoPlanReader.contradicts(frequency, count: items.count) {
            contradictions.append(object.place("frequency").text)
        }
    }

    /// The end of the plan: the day after the last one for a date without a time of day.
    private mutating func end(after from: WallMoment?) throws(ModelError) -> WallMoment? {
        guard let end = try object.instant("endDate") else { return nil }
        let moment = dates.wall(end)
        let until = moment.time?.minutes == 0 ? WallMoment(day: moment.day.adding(days: 1)) : moment
        if let from, until <= from {
            contradictions.append(object.place("endDate").text)
            return nil
        }
        return until
    }

    private mutating func frequency() throws(ModelError) -> String? {
        guard let word = try object.text("frequency", maximum: Limits.line) else { return nil }
        guard case .choice(let words) = PlanFields.frequency.type, words.contains(word) else {
            unrepresented.append(object.place("frequency").text)
            return nil
        }
        content.body[PlanFields.frequency] = .text(word)
        return word
    }

    /// Reports whether a frequency states another number of times a day than the schedule has.
    private static func contradicts(_ frequency: String?, count: Int) -> Bool {
        switch frequency {
        case "once_daily": count != 1
        case "twice_daily": count != 2
        case "three_times_daily": count != 3
        case "as_needed": count != 0
        case "daily", "weekly": count == 0
        // The format does not say on which days: the times are taken as those of each day, which must be checked.
        case "custom": count > 0
        default: false
        }
    }

    // MARK: - Rules

    private mutating func readRules(
        _ items: [MangoObject],
        _ frequency: String?,
        _ from: WallMoment?,
        _ until: WallMoment?
    ) throws(ModelError) {
        var times: [Time] = []
        for item in items where try item.instant("time") == nil { unrepresented.append(item.path.text) }
        for (item, timeID, instant) in try MangoPlanReader.timed(items, of: id) {
            var time = Time(item, id: timeID, wall: dates.wall(instant))
            time.text = try item.text(content.kind == Drug.kind ? "dosageAmount" : "amount", maximum: Limits.line)
            time.instructions = try item.text("instructions", maximum: Limits.line)
            time.withMeal = try item.flag("withMeal") ?? false
            times.append(time)
        }
        let dosage = content.body.text(Drug.dosage).flatMap { MangoAmount($0) }
        let unit = times.lazy.compactMap { $0.text.flatMap { MangoAmount($0) } }.first?.unit ?? dosage?.unit
        if let unit {
            content.body[PlanFields.unit] = .text(unit)
            content.inferred.append(PlanFields.unit.name)
        }
        var rules: [FieldValues] = []
        var groups: [[Time]] = []
        // Times of one rule differ, and a rule has a limited number of them.
        for time in times {
            let free = groups.firstIndex { group in
                group.count < 24 && !group.contains { $0.wall.time == time.wall.time }
                    && (frequency != "weekly" || group.first?.wall.day.weekday == time.wall.day.weekday)
            }
            if let free { groups[free].append(time) } else { groups.append([time]) }
        }
        for (number, group) in groups.enumerated() {
            var rule = rule(number, Rule.days, from, until)
            if frequency == "weekly", let day = group.first?.wall.day {
                rule[Rule.weekdays] = .list([.text(day.weekday.name)])
            }
            rule[Rule.times] = .list(
                group.enumerated().map { .group(values($1, at: "rules.\(number).times.\($0)", unit)) }
            )
            rules.append(rule)
            for time in group { try readDose(time, of: rule, unit) }
        }
        if times.isEmpty, frequency == "as_needed" {
            var rule = rule(0, Rule.asNeeded, from, until)
            if let dosage {
                var intake = FieldValues()
                intake[PlanFields.Intake.amount] = .decimal(dosage.number)
                rule[Rule.intake] = .group(intake)
                content.inferred.append("rules.0.intake")
            }
            rules.append(rule)
        }
        content.body[PlanFields.rules] = .list(rules.map { .group($0) })
    }

    /// Returns the items of a schedule that have a time, with the ids that they have in the plan.
    static func timed(
        _ items: [MangoObject],
        of plan: UUID
    ) throws(ModelError) -> [(item: MangoObject, id: UUID, at: Instant)] {
        var ids: Set<UUID> = []
        var found: [(item: MangoObject, id: UUID, at: Instant)] = []
        for (index, item) in items.enumerated() {
            guard let instant = try item.instant("time") else { continue }
            let text = try item.text("id") ?? ""
            let derived = UUID(nameBased: plan, "time\n\(index)\n\(text)")
            let given = UUID(uuidString: text).flatMap { ids.contains($0) ? nil : $0 }
            ids.insert(given ?? derived)
            found.append((item, given ?? derived, instant))
        }
        return found
    }

    /// A time of the schedule, with the intake that is due then.
    private struct Time {
        let object: MangoObject
        let id: UUID
        let wall: WallMoment
        var text: String?
        var instructions: String?
        var withMeal = false

        init(_ object: MangoObject, id: UUID, wall: WallMoment) {
            (self.object, self.id, self.wall) = (object, id, wall)
        }

        /// The amount in the unit of the plan; nil if the text states another unit or contains anything else.
        func amount(in unit: String?) -> ExactDecimal? {
            text.flatMap { MangoAmount($0) }.flatMap { $0.unit == unit ? $0.number : nil }
        }
    }

    private func rule(_ number: Int, _ pattern: String, _ from: WallMoment?, _ until: WallMoment?) -> FieldValues {
        var rule = FieldValues()
        rule[Rule.id] = .id(UUID(nameBased: id, "rule\n\(number)"))
        rule[Rule.from] = from.map { .text($0.description) }
        rule[Rule.until] = until.map { .text($0.description) }
        rule[Rule.pattern] = .text(pattern)
        return rule
    }

    private mutating func values(_ time: Time, at path: String, _ unit: String?) -> FieldValues {
        var values = FieldValues()
        values[PlanFields.Time.id] = .id(time.id)
        values[PlanFields.Time.at] = time.wall.time.map { .text($0.description) }
        if let amount = time.amount(in: unit) {
            values[PlanFields.Intake.amount] = .decimal(amount)
            content.inferred.append("\(path).amount")
        } else {
            values[PlanFields.Intake.amountText] = time.text.map { .text($0) }
        }
        values[PlanFields.Intake.instructions] = time.instructions.map { .text($0) }
        values[PlanFields.Intake.withMeal] = time.withMeal ? .flag(true) : nil
        return values
    }

    // MARK: - Doses

    /// Reads the mark that a time was taken or skipped; without a time of day it is unknown on which day that was.
    private mutating func readDose(_ time: Time, of rule: FieldValues, _ unit: String?) throws(ModelError) {
        let isTaken = try time.object.flag("isCompleted") ?? false
        let isSkipped = try time.object.flag("skipped") ?? false
        let at = try time.object.instant("completedAt")
        let reason = try time.object.text("skippedReason", maximum: Limits.line)
        guard isTaken || isSkipped, let at, at.microseconds <= now.microseconds, let ruleID = rule.id(Rule.id) else {
            if isTaken || isSkipped || at != nil {
                unrepresented.append(time.object.place(isSkipped ? "skipped" : "isCompleted").text)
            }
            return
        }
        // The planned dose is the one of that time of day that is closest.
        let today = dates.wall(at).day
        let planned = [-1, 0, 1].map { dates.instant(WallMoment(day: today.adding(days: $0), time: time.wall.time)) }
        let distances = planned.map { ($0.microseconds - at.microseconds).magnitude }
        let nearest = distances.indices.min { distances[$0] < distances[$1] } ?? 1
        let slot = Slot.time(rule: ruleID, day: today.adding(days: nearest - 1), time: time.id)
        var dose = EntryContent(kind: Dose.kind, date: .instant(at))
        dose.body[Dose.of] = .id(id)
        dose.body[Dose.slot] = .text(slot.description)
        dose.body[Dose.planned] = .instant(planned[nearest])
        dose.body[Dose.status] = .text((isTaken ? LoggedDose.Status.taken : .skipped).rawValue)
        let amount = time.amount(in: unit)
        dose.body[Dose.plannedAmount] = amount.map { .decimal($0) }
        dose.inferred = [Dose.slot.name, Dose.planned.name]
        if isTaken {
            dose.body[Dose.amount] = amount.map { .decimal($0) }
            if amount != nil { dose.inferred.append(Dose.amount.name) }
        } else {
            dose.body[Dose.reasonText] = reason.map { .text($0) }
        }
        doses.append((slot.entryID(of: id), dose, time.object.path))
    }
}
