internal import FoundationEssentials
package import HealthModel

/// Reading a submitted form of a plan.
extension PlanForm {
    /// Writes the typed values of a new plan into an entry, and returns the problems of fields.
    package func take(
        _ typed: [String: String],
        into content: inout EntryContent,
        now: WallMoment
    ) -> [String: String] {
        var problems: [String: String] = [:]
        takeProduct(typed, into: &content, &problems)
        if let hours = number("gap", typed, &problems) {
            content.body[PlanFields.minimumInterval] = .integer(Int64(hours * 60))
        }
        if let most = typed["most"], !most.isEmpty { set("maximum.doses", most, &content, &problems, as: "most") }
        if typed["strength"].map({ !$0.isEmpty }) == true, strength(typed) == nil {
            problems["strength"] = reader.words["plan.strengthNeeded"]
        }
        if let stock = typed["stock"], !stock.isEmpty { content.body[PlanFields.trackStock] = .flag(true) }
        let from = typed["start"].flatMap { try? WallMoment(parsing: $0) } ?? WallMoment(day: firstDay(typed, now))
        for rule in rules(typed, from: from, isNew: true, &problems) { content.addRule(rule) }
        return problems
    }

    /// Returns the day on which a plan without a start begins: the next one, if it counts days and all its times of the
    /// present day are over.
    private func firstDay(_ typed: [String: String], _ now: WallMoment) -> Day {
        guard [.taper, .days, .cycle].contains(Pattern(typed)) else { return now.day }
        let times = PlanForm.typedTimes(typed).compactMap { try? WallTime(typed: $0.at) }
        return WallTime.areOver(times, at: now) ? now.day.adding(days: 1) : now.day
    }

    /// Returns the typed strength of one unit with its unit, such as `5 mg`; that of the dosage if only the number is
    /// typed and the dosage has the same.
    package func strength(_ typed: [String: String]) -> PlanStrength? {
        func part(_ text: String) -> PlanStrength.Part? {
            try? PlanStrength.Part(typed: text, number: reader.amount(typed:))
        }
        let text = typed["strength"] ?? ""
        if let part = part(text) { return PlanStrength([part]) }
        guard let amount = reader.amount(typed: text), let dosage = part(typed["dosage"] ?? ""), dosage.amount == amount
        else { return nil }
        return PlanStrength([dosage])
    }

    /// Writes the typed values that correct a plan into its entry, and returns the problems of fields.
    ///
    /// The latest rule keeps its id, its start and its end, so that doses that were logged for it still belong to it.
    package func correct(_ typed: [String: String], in content: inout EntryContent, _ plan: Plan) -> [String: String] {
        var problems: [String: String] = [:]
        takeProduct(typed, into: &content, &problems)
        guard let last = plan.rules.last, hasOtherSchedule(typed, than: last) else { return problems }
        refuseAmbiguousNumbers(typed, &problems)
        if let rule = rule(typed, from: last.from, isNew: false, &problems) {
            content.correctRule(last.id, to: rule.pattern)
        }
        return problems
    }

    /// Whether the fields of the schedule differ from those with which the form began.
    ///
    /// A correction of the name alone must not rewrite a rule that the form shows only in part.
    private func hasOtherSchedule(_ typed: [String: String], than rule: PlanRule) -> Bool {
        let before = self.typed(of: rule)
        let pattern = Pattern(typed)
        let isSame = pattern.fieldNames.allSatisfy { (typed[$0] ?? "") == (before[$0] ?? "") }
        let areSame = PlanForm.typedTimes(typed) == PlanForm.typedTimes(before)
        return !isSame || pattern != Pattern(before) || pattern.hasTimes && !areSame
    }

    /// Refuses numbers that mean thousands to the reader and a fraction to the journal.
    private func refuseAmbiguousNumbers(_ typed: [String: String], _ problems: inout [String: String]) {
        for name in ["amount", "gap", "most", "everyHours"] where reader.isAmbiguous(typed[name] ?? "") {
            problems[name] = reader.words["numberNeeded"]
        }
    }

    private func takeProduct(
        _ typed: [String: String],
        into content: inout EntryContent,
        _ problems: inout [String: String]
    ) {
        for field in PlanForm.product { set(field.name, typed[field.name] ?? "", &content, &problems, as: field.name) }
        if (typed["name"] ?? "").isEmpty { problems["name"] = reader.words["nameOfPlanNeeded"] }
    }

    /// Returns the rules that were typed: one, or one for each step of a taper; none if a field has a problem.
    package func rules(
        _ typed: [String: String],
        from: WallMoment,
        isNew: Bool = false,
        _ problems: inout [String: String]
    ) -> [PlanRule] {
        refuseAmbiguousNumbers(typed, &problems)
        if typed["pattern"] == Pattern.taper.rawValue { return taper(typed, from: from.day, &problems) }
        return rule(typed, from: from, isNew: isNew, &problems).map { [$0] } ?? []
    }

    private func taper(
        _ typed: [String: String],
        from day: Day,
        _ problems: inout [String: String]
    ) -> [PlanRule] {
        let times = PlanForm.typedTimes(typed).filter { !$0.at.isEmpty }
        guard times.count == 1, let time = try? WallTime(typed: times[0].at) else {
            problems[PlanForm.name(0, "at")] = reader.words["plan.oneTimeNeeded"]
            return []
        }
        guard let strength = strength(typed)?.parts.first?.amount else {
            problems["strength"] = reader.words["plan.strengthNeeded"]
            return []
        }
        let items = reader.taperSteps(typed["steps"] ?? "")
        guard !items.contains(where: { reader.isAmbiguous(String($0.prefix { $0 != "x" })) }) else {
            problems["steps"] = reader.words["numberNeeded"]
            return []
        }
        let steps = items.map { reader.plainNumber($0) }.joined(separator: ",")
        do {
            return try PlanRule.taper(
                strength: strength,
                from: day,
                at: time,
                steps: steps,
                recordedAt: Instant(microseconds: 0)
            )
        } catch {
            problems["steps"] = reader.words["plan.stepsWrong"]
            return []
        }
    }

    /// Returns the rule that was typed; nil if a field has a problem.
    private func rule(
        _ typed: [String: String],
        from: WallMoment,
        isNew: Bool,
        _ problems: inout [String: String]
    ) -> PlanRule? {
        let name = Pattern(typed)
        var until: WallMoment?
        if !name.endsItself, let text = typed["until"], !text.isEmpty {
            do {
                // The last day is included.
                let end = WallMoment(day: try Day(parsing: text).adding(days: 1))
                if end <= from { problems["until"] = reader.words["plan.untilBeforeStart"] }
                until = end
            } catch {
                problems["until"] = reader.words.sentence(error.text)
            }
        }
        let start = typed["start"].flatMap { try? WallMoment(parsing: $0) }
        var pattern: PlanRule.Pattern?
        let text = { (name: String) in typed[name] ?? "" }
        let times = name.hasTimes ? times(typed, &problems) : ""
        switch name {
        // A taper has several rules.
        case .taper: return nil
        case .daily: pattern = parsed(.daily, times, PlanForm.name(0, "at"), from, &problems, saying: "times")
        case .days: pattern = parsed(.days, "\(text("everyDays"))@\(times)", "everyDays", from, &problems)
        case .weekdays: pattern = parsed(.weekdays, "\(text("weekdays"))@\(times)", "weekdays", from, &problems)
        case .monthDays:
            let days = text("monthDays").replacing(" ", with: "")
            pattern = parsed(.monthDays, "\(days)@\(times)", "monthDays", from, &problems)
        case .cycle:
            let cycle = text("cycle").replacing(" ", with: "")
            pattern = parsed(.cycle, "\(cycle)@\(times)", "cycle", from, &problems)
        case .once:
            guard let start, start.time != nil else {
                problems["start"] = reader.words["startNeeded"]
                return nil
            }
            pattern = parsed(.once, "\(start)=\(amount(typed))", "start", from, &problems)
        case .asNeeded: pattern = parsed(.asNeeded, amount(typed), "amount", from, &problems)
        case .interval, .afterLast:
            guard let start, start.time != nil else {
                problems["start"] = reader.words["startNeeded"]
                return nil
            }
            guard let hours = number("everyHours", typed, &problems), hours >= 0.25 else {
                problems["everyHours"] = reader.words["hoursNeeded"]
                return nil
            }
            guard let intake = try? Intake(amount: amount(typed)) else {
                problems["amount"] = reader.words["amountNeeded"]
                return nil
            }
            let seconds = Int64((hours * 3_600).rounded())
            pattern =
                name == .interval
                ? .interval(seconds: seconds, start: instant(start), intake)
                : .afterLast(seconds: seconds, start: instant(start), intake)
        }
        guard problems.isEmpty, var pattern else { return nil }
        pattern.describe { intake in
            intake.instructions = text("instructions").isEmpty ? nil : text("instructions")
            intake.withMeal = text("withMeal") == "true"
        }
        return PlanRule(
            id: UUID(),
            from: isNew ? min(from, pattern.earliest ?? from) : from,
            until: until,
            pattern: pattern,
            recordedAt: Instant(microseconds: 0)
        )
    }

    /// Returns the first moment at which the person's clock shows a time.
    private func instant(_ wall: WallMoment) -> Instant {
        if let clock { return clock.moment(of: wall).instant }
        let instants = wall.day.instants(atSecond: Int64(wall.time?.minutes ?? 0) * 60, in: reader.zone)
        return instants.first ?? wall.day.startInstant
    }

    private func parsed(
        _ form: PlanRule.Pattern.Form,
        _ text: String,
        _ field: String,
        _ from: WallMoment,
        _ problems: inout [String: String],
        saying word: String? = nil
    ) -> PlanRule.Pattern? {
        guard problems.isEmpty else { return nil }
        do {
            return try PlanRule.Pattern(form, parsing: text, anchor: from.day) { UUID() }
        } catch {
            problems[field] = reader.words["plan.\(word ?? field)Wrong"]
            return nil
        }
    }

    private func amount(_ typed: [String: String]) -> String { reader.plainNumber(typed["amount"] ?? "") }

    private func number(_ name: String, _ typed: [String: String], _ problems: inout [String: String]) -> Double? {
        guard let text = typed[name], !text.isEmpty else { return nil }
        guard let number = Double(reader.plainNumber(text)), number > 0, number < 9_000 else {
            problems[name] = reader.words["numberNeeded"]
            return nil
        }
        return number
    }

    private func set(
        _ path: String,
        _ text: String,
        _ content: inout EntryContent,
        _ problems: inout [String: String],
        as field: String
    ) {
        do {
            try content.set(path, text: text)
        } catch {
            problems[field] = reader.words.sentence(error.text)
        }
    }
}
