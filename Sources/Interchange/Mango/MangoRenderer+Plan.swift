import FoundationEssentials
import HealthModel

extension MangoRenderer {
    private typealias Rule = PlanFields.Rule

    /// The members of a medication or a supplement.
    func plan(
        _ content: EntryContent,
        of collection: MangoCollection,
        _ doses: [UUID: MangoDose]
    ) -> [JSONValue.Member] {
        let body = content.body
        let rules = current(body.groups(PlanFields.rules))
        let isMedication = collection == .medications
        let schedule = rules.flatMap { rule in
            rule.groups(Rule.times).map { item($0, of: rule, content, isMedication, doses, body.text(PlanFields.unit)) }
        }
        let ends = rules.compactMap { $0.moment(Rule.until) }
        let isPaused = body.groups(PlanFields.pauses).contains { $0[PlanFields.Pause.until] == nil }
        var members: KeyValuePairs<String, JSONValue?> = [
            "name": .string(body.text(Drug.name) ?? body.text(Drug.rawText) ?? ""),
            "dosage": .string(body.text(Drug.dosage) ?? ""),
            "frequency": .string(body.text(PlanFields.frequency) ?? frequency(of: rules, isMedication)),
            "schedule": .array(schedule), "notes": content.comment.json,
            "isActive": .bool(!isPaused && body[PlanFields.stopped] == nil),
            "voiceEntryUsed": .bool(content.voiceEntryUsed),
        ]
        var written = JSONValue.present(members).members
        members =
            isMedication
            ? [
                "prescribedBy": body.text(PlanFields.prescribedBy).json,
                "startDate": time(of: content) ?? rules.first?.moment(Rule.from).map { .time(dates.instant($0)) },
                "endDate": ends.count == rules.count ? ends.max().map { .time(dates.instant($0)) } : nil,
            ] : ["purpose": body.text(Supplement.purpose).json, "brand": body.text(Supplement.brand).json]
        written += JSONValue.present(members).members
        return written
    }

    /// The rules that have no end or, if all have ended, those that ended last.
    private func current(_ rules: [FieldValues]) -> [FieldValues] {
        let open = rules.filter { $0[Rule.until] == nil }
        guard open.isEmpty, let last = rules.compactMap({ $0.moment(Rule.until) }).max() else { return open }
        return rules.filter { $0.moment(Rule.until) == last }
    }

    private func item(
        _ time: FieldValues,
        of rule: FieldValues,
        _ content: EntryContent,
        _ isMedication: Bool,
        _ doses: [UUID: MangoDose],
        _ unit: String?
    ) -> JSONValue {
        let id = time.id(PlanFields.Time.id)
        let day = rule.moment(Rule.from)?.day ?? content.date?.day ?? Day(daysSince1970: 0)
        let at = time.text(PlanFields.Time.at).flatMap { try? WallTime(parsing: $0) }
        let number = time.decimal(PlanFields.Intake.amount)?.description
        let amount =
            time.text(PlanFields.Intake.amountText)
            ?? number.map { number in unit.map { "\(number) \($0)" } ?? number } ?? ""
        let dose = id.flatMap { doses[$0] }
        let (isTaken, isSkipped) = (dose?.status == .taken, dose?.status == .skipped)
        return .present([
            "id": id.map { .string($0.text) },
            "time": .time(dates.instant(WallMoment(day: day, time: at))),
            (isMedication ? "dosageAmount" : "amount"): .string(amount),
            "withMeal": isMedication ? nil : .bool(time.flag(PlanFields.Intake.withMeal) ?? false),
            "instructions": time.text(PlanFields.Intake.instructions).json, "isCompleted": .bool(isTaken),
            "completedAt": dose.map { .time($0.at) }, "skipped": isMedication ? .bool(isSkipped) : nil,
            "skippedReason": isMedication && isSkipped ? dose?.reason.json : nil,
        ])
    }

    /// The frequency that the rules of a plan amount to, in the words of the format.
    private func frequency(of rules: [FieldValues], _ isMedication: Bool) -> String {
        guard rules.count == 1, let rule = rules.first else { return "custom" }
        if rule.text(Rule.pattern) == Rule.asNeeded { return "as_needed" }
        guard rule.text(Rule.pattern) == Rule.days,
            [Rule.everyDays, Rule.monthDays, Rule.daysOn].allSatisfy({ rule[$0] == nil })
        else { return "custom" }
        let (weekdays, times) = (rule.texts(Rule.weekdays).count, rule.groups(Rule.times).count)
        switch (isMedication, weekdays, times) {
        case (true, 0, 1): return "once_daily"
        case (true, 0, 2): return "twice_daily"
        case (true, 0, 3): return "three_times_daily"
        case (false, 0, 1...): return "daily"
        case (false, 1, 1): return "weekly"
        default: return "custom"
        }
    }
}
