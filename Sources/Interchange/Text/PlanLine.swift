internal import FoundationEssentials
package import HealthModel

/// A rule or a pause of a plan in words, with its period, as lists on a terminal show it.
package struct PlanLine: Hashable, Sendable {
    /// The first day, or the moment of the beginning.
    package var from: String
    /// The last day, which is included, or the moment of the end within a day; empty without an end.
    package var until: String
    /// When doses are due, in the words in which a plan is typed, or that the plan is paused.
    package var what: String
    /// The number of the rule in the plan, counted from 1; nil for a pause.
    package var number: Int?

    package init(from: String, until: String, what: String, number: Int? = nil) {
        (self.from, self.until, self.what, self.number) = (from, until, what, number)
    }

    /// Returns the lines of the plan of an entry, the rules first; none for a kind without plans.
    ///
    /// `recordedAt` is when the entry was added, and `time` writes a moment.
    package static func lines(
        of content: EntryContent,
        recordedAt: Instant,
        time: (Instant) -> String
    ) -> [PlanLine] {
        guard Plan.kinds.contains(content.kind) else { return [] }
        let plan = Plan(id: UUID(), content) { _ in Plan.Recorded(at: recordedAt, day: Day(of: recordedAt)) }
        let strength = PlanStrength(content.body).map { $0.text() }
        // Amounts alone would be bare numbers.
        let counted = [content.body.text(PlanFields.unit), strength].compactMap(\.self).joined(separator: " of ")
        let rules = plan.rules.enumerated()
            .map { index, rule in
                PlanLine(
                    from: rule.from.description,
                    until: [rule.until, plan.stopped].compactMap(\.self).min()?.asEnd ?? "",
                    what: ([rule.pattern.text(time) + (counted.isEmpty ? "" : " (\(counted))")] + rule.remarks)
                        .joined(separator: ", "),
                    number: index + 1
                )
            }
        let pauses = content.body.groups(PlanFields.pauses)
            .map { pause in
                PlanLine(
                    from: pause.text(PlanFields.Pause.from) ?? "",
                    until: pause.text(PlanFields.Pause.until).flatMap { try? WallMoment(parsing: $0) }?.asEnd ?? "",
                    what: pause.text(PlanFields.Pause.why).map { "PAUSED: \($0)" } ?? "PAUSED"
                )
            }
        return rules + pauses
    }
}

extension PlanLine: CustomStringConvertible {
    package var description: String { "\(what) from \(from)" + (until.isEmpty ? "" : " to \(until)") }
}

extension PlanRule {
    /// What the pattern does not say: the day from which days are counted, how doses are taken, and by which clock.
    fileprivate var remarks: [String] {
        var remarks: [String] = []
        if case .days(let filter, _) = pattern, filter.isCounted, filter.anchor != from.day {
            remarks.append("counted from \(filter.anchor)")
        }
        for intake in pattern.intakes {
            for remark in [intake.label, intake.withMeal ? "with a meal" : nil, intake.instructions] {
                if let remark, !remarks.contains(remark) { remarks.append(remark) }
            }
        }
        if case .zone(let zone) = clock { remarks.append("by the clocks of \(zone)") }
        return remarks
    }
}

extension DayFilter {
    fileprivate var isCounted: Bool { (everyDays ?? 1) > 1 || cycle != nil }
}

extension WallMoment {
    /// The end of a period for people: its last day or, within a day, the moment.
    fileprivate var asEnd: String { (time?.minutes ?? 0) == 0 ? day.adding(days: -1).description : description }
}
