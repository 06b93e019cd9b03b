internal import FoundationEssentials
package import HealthModel

/// The values with which the forms of a plan begin.
extension PlanForm {
    /// Returns the schedule with which a new plan begins: that of its frequency, or the one that a person prefers.
    ///
    /// Only the form begins so: who takes it at other times says so.
    package func preset(of frequency: String?, _ preferences: AccountPreferences) -> [String: String] {
        let schedule = schedule(of: frequency, at: preferences.mealTimes)
        guard schedule.isEmpty, preferences.reminderFrequency == .threeDaily else { return schedule }
        return self.schedule(of: "three_times_daily", at: preferences.mealTimes)
    }

    /// Returns the schedule for a frequency, at the times of a person's meals; empty for one without known times.
    private func schedule(of frequency: String?, at meals: AccountPreferences.MealTimes) -> [String: String] {
        let pattern: Pattern
        let times: [WallTime?]
        switch frequency {
        case "once_daily", "daily": (pattern, times) = (.daily, [meals.breakfast])
        case "twice_daily": (pattern, times) = (.daily, [meals.breakfast, meals.dinner])
        case "three_times_daily": (pattern, times) = (.daily, [meals.breakfast, meals.lunch, meals.dinner])
        case "weekly": (pattern, times) = (.days, [meals.breakfast])
        case "as_needed": return ["pattern": Pattern.asNeeded.rawValue]
        default: return [:]
        }
        let lines = PlanForm.typed(times.compactMap { time in time.map { ($0.description, "") } })
        let schedule = ["pattern": pattern.rawValue].merging(lines) { $1 }
        return pattern == .days ? schedule.merging(["everyDays": "7"]) { $1 } : schedule
    }

    /// Returns the values with which the form of a new plan begins: those of a prefilled entry and, if it does not say
    /// when, the times that a person prefers.
    package func typed(of content: EntryContent, _ preferences: AccountPreferences, today: Day) -> [String: String] {
        let recorded = Plan.Recorded(at: today.startInstant, day: today)
        let plan = Plan(id: UUID(), content) { _ in recorded }
        var typed =
            plan.rules.isEmpty
            ? preset(of: content.body.text(PlanFields.frequency), preferences) : typed(of: plan, effective: today)
        typed["effective"] = nil
        for name in ["name", "dosage", "unit"] {
            typed[name] = content.kind.fields.path(named: name).flatMap { content.body[$0]?.text }
        }
        typed["until"] = plan.rules.last?.until?.day.adding(days: -1).description
        return typed
    }

    /// Returns the values with which the form of a change begins: those of the rule that applies then.
    package func typed(of plan: Plan, effective: Day) -> [String: String] {
        let moment = WallMoment(day: effective)
        let rules = plan.rules(at: moment)
        var typed = rules.last.map(changed) ?? plan.rules.last.map { self.typed(of: $0) } ?? [:]
        // Of several rules at once, the one whose values are shown is replaced.
        let isAll = rules.count < 2 && plan.rules(from: moment).count > 1
        typed["replaces"] = isAll ? PlanForm.all : rules.last?.id.text
        typed["effective"] = "\(effective)T00:00"
        return typed
    }

    /// Returns the values with which the form of a change of one rule begins.
    package func changed(_ rule: PlanRule) -> [String: String] {
        var typed = typed(of: rule)
        // The last day is included in the form.
        typed["until"] = rule.until.map { ($0.time == nil ? $0.day.adding(days: -1) : $0.day).description }
        return typed
    }

    /// Returns the values with which the form of a correction begins: those of the product and of the latest rule.
    package func typed(of content: EntryContent, _ plan: Plan) -> [String: String] {
        let product = PlanForm.product.compactMap { field in content.body.text(field).map { (field.name, $0) } }
        return (plan.rules.last.map { typed(of: $0) } ?? [:]).merging(product) { $1 }
    }

    func typed(of rule: PlanRule) -> [String: String] {
        var typed: [String: String] = [:]
        func take(_ intake: Intake?) {
            typed["amount"] = intake?.amount.map(reader.typed) ?? intake?.amountText ?? ""
            typed["instructions"] = intake?.instructions ?? ""
            typed["withMeal"] = intake?.withMeal == true ? "true" : ""
        }
        switch rule.pattern {
        case .days(let filter, let times):
            take(times.first?.intake)
            typed["amount"] = nil
            let lines = times.map {
                ($0.at.description, $0.intake.amount.map(reader.typed) ?? $0.intake.amountText ?? "")
            }
            typed.merge(PlanForm.typed(lines)) { $1 }
            typed["pattern"] = Pattern.daily.rawValue
            if let every = filter.everyDays, every > 1 {
                (typed["pattern"], typed["everyDays"]) = (Pattern.days.rawValue, String(every))
            }
            if let weekdays = filter.weekdays {
                typed["pattern"] = Pattern.weekdays.rawValue
                typed["weekdays"] = weekdays.sorted().map(\.name).joined(separator: ",")
            }
            if let days = filter.monthDays {
                typed["pattern"] = Pattern.monthDays.rawValue
                typed["monthDays"] = days.sorted().map(\.name).joined(separator: ",")
            }
            if let cycle = filter.cycle {
                (typed["pattern"], typed["cycle"]) = (Pattern.cycle.rawValue, "\(cycle.daysOn)/\(cycle.daysOff)")
            }
        case .interval(let seconds, let start, let intake):
            take(intake)
            (typed["pattern"], typed["everyHours"]) = (Pattern.interval.rawValue, hours(seconds))
            typed["start"] = wallText(start)
        case .afterLast(let seconds, let start, let intake):
            take(intake)
            (typed["pattern"], typed["everyHours"]) = (Pattern.afterLast.rawValue, hours(seconds))
            typed["start"] = wallText(start)
        case .once(let at, let intake):
            take(intake)
            (typed["pattern"], typed["start"]) = (Pattern.once.rawValue, at.description)
        case .asNeeded(let intake):
            take(intake)
            typed["pattern"] = Pattern.asNeeded.rawValue
        }
        return typed
    }

    private func wallText(_ start: Instant) -> String {
        clock?.wall(at: start).description ?? reader.wallText(start)
    }

    private func hours(_ seconds: Int64) -> String {
        let text = seconds % 3_600 == 0 ? String(seconds / 3_600) : String(Double(seconds) / 3_600)
        return (try? ExactDecimal(parsing: text)).map(reader.typed) ?? text
    }
}
