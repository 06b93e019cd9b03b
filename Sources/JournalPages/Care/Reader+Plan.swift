internal import FoundationEssentials
package import HealthModel

/// Plans in words.
extension Reader {
    /// Describes a rule: how much is taken, when, and from when until when it applies.
    package func rule(
        _ rule: PlanRule,
        stopped: WallMoment?,
        unit: String?,
        strength: PlanStrength? = nil
    ) -> String {
        var parts = pattern(rule.pattern, PlanProduct(name: "", unit: unit, strength: strength))
        if case .zone(let name) = rule.clock { parts.append(words["byClockOf", name]) }
        parts.append(words["fromMoment", wall(rule.from)])
        if let until = [rule.until, stopped].compactMap(\.self).min() {
            parts.append(words["untilMoment", wall(until)])
        }
        return parts.joined(separator: ", ")
    }

    /// Describes the pauses and the limits of a plan that apply at a moment or later.
    func remarks(of plan: Plan, at now: WallMoment) -> [String] {
        var remarks = plan.pauses.filter { pause in pause.until.map { now < $0 } ?? true }.map(pause)
        let limits = plan.limits
        if let gap = limits.minimumInterval { remarks.append(words["gapBetween", duration(gap)]) }
        if let most = limits.maximumDoses {
            remarks.append(words["mostDoses", number(most), duration(limits.period)])
        }
        return remarks
    }

    func pause(_ pause: PlanPause) -> String {
        pause.until.map { words["pausedUntil", wall(pause.from), wall($0)] } ?? words["pausedFrom", wall(pause.from)]
    }

    /// Describes when and why a plan was stopped; nil if it was not.
    func stop(of plan: Plan, _ content: EntryContent) -> String? {
        plan.stopped.map { stopped in
            let text = words["stoppedAt", wall(stopped)]
            return stopReason(content).map { words["labelled", text, $0] } ?? text
        }
    }

    /// Formats a day, or a day and a time by the clock.
    package func wall(_ moment: WallMoment) -> String {
        moment.time.map { "\(day(moment.day)) \($0)" } ?? day(moment.day)
    }

    private func pattern(_ pattern: PlanRule.Pattern, _ unit: PlanProduct) -> [String] {
        switch pattern {
        case .days(let filter, let times):
            let amounts = Set(times.map { Dosing($0.intake) })
            let clocks = times.map(\.at.description)
            let doses: String
            if amounts.count == 1, let first = times.first {
                doses = dose(first.intake, unit, at: list(clocks))
            } else {
                doses = list(times.map { dose($0.intake, unit, at: $0.at.description) })
            }
            return [doses] + days(filter)
        case .interval(let seconds, let start, let intake):
            return [dose(intake, unit), words["everyStep", step(seconds)], words["firstAt", moment(start)]]
        case .afterLast(let seconds, let start, let intake):
            return [dose(intake, unit), words["afterLastStep", step(seconds)], words["firstAt", moment(start)]]
        case .once(let at, let intake):
            return [dose(intake, unit), words["onceAt", wall(at)]]
        case .asNeeded(let intake):
            return [dose(intake, unit), words["asNeededWords"]]
        }
    }

    private func dose(_ intake: Intake, _ product: PlanProduct, at clock: String? = nil) -> String {
        let isStated = intake.amount != nil || intake.amountText != nil
        let amount = isStated ? amount(intake.amount, intake.amountText, product.unit, product.strength) : ""
        let dose =
            if let clock {
                amount.isEmpty ? words["atClock", clock] : words["amountAtClock", amount, clock]
            } else {
                amount.isEmpty ? words["aDose"] : amount
            }
        let how = [intake.withMeal ? words["withMeal"] : nil, intake.instructions].compactMap(\.self)
        return how.isEmpty ? dose : "\(dose) (\(how.joined(separator: "; ")))"
    }

    /// An intake without the word for its time.
    private struct Dosing: Hashable {
        let intake: Intake

        init(_ intake: Intake) {
            var intake = intake
            intake.label = nil
            self.intake = intake
        }
    }

    private func days(_ filter: DayFilter) -> [String] {
        var parts: [String] = []
        if let every = filter.everyDays, every > 1 {
            parts.append(words["everyDays", number(every), day(filter.anchor)])
        }
        if let weekdays = filter.weekdays {
            parts.append(words["onDays", list(weekdays.sorted().map { words["weekday.\($0.rawValue)"] })])
        }
        if let monthDays = filter.monthDays {
            let names = monthDays.sorted()
                .map { day in
                    switch day {
                    case .day(let number): self.number(number)
                    case .last: words["lastDay"]
                    }
                }
            parts.append(words["onMonthDays", list(names)])
        }
        if let cycle = filter.cycle {
            parts.append(words["cycleOf", number(cycle.daysOn), number(cycle.daysOff), day(filter.anchor)])
        }
        return parts.isEmpty ? [words["eachDay"]] : parts
    }

    private func step(_ seconds: Int64) -> String {
        seconds % 86_400 == 0
            ? words.count(Int(seconds / 86_400), "days", number(seconds / 86_400)) : duration(Int(seconds / 60))
    }

    private func list(_ items: [String]) -> String {
        guard let last = items.last, items.count > 1 else { return items.first ?? "" }
        return words["listWithAnd", items.dropLast().joined(separator: ", "), last]
    }

    /// Describes the reason of a stop, or another word of a plan.
    package func stopReason(_ content: EntryContent) -> String? {
        content.body.group(PlanFields.stopped)?.text(PlanFields.Stop.why).map(choice)
    }
}
