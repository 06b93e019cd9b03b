package import HealthModel
package import Interchange

/// A page to print: the list of current medication for a doctor, and the doses of a week to tick off.
package struct MedicationSheet: WebPage {
    package static let template = Template("sheet")

    package let head: RecordHead
    package let listHeading: String
    package let asOf: String
    package let items: [Item]
    package let isEmpty: Bool
    package let weekHeading: String
    package let previousAddress: String
    package let nextAddress: String
    package let days: [String]
    package let rows: [Row]
    package let hasDoses: Bool

    package struct Item: Sendable {
        package let name: String
        package let rules: [String]
        package let purpose: String
        package let prescriber: String
    }

    /// A dose that is due at one time of day, on some days of the week.
    package struct Row: Sendable {
        package let label: String
        package let cells: [Cell]
    }

    package struct Cell: Sendable {
        package let isDue: Bool
        package let label: String
        package let symbol: String
    }

    package init(
        _ head: RecordHead,
        _ plans: [(entry: EntryState, plan: Plan)],
        _ doses: PlannedDosesDocument,
        now: WallMoment,
        zone: String,
        _ reader: Reader
    ) {
        let words = reader.words
        self.head = head
        listHeading = words["sheetHeading", head.name]
        asOf = words["sheetAsOf", reader.wall(now), zone.replacing("_", with: " ")]
        items = plans.filter { !$0.plan.hasEnded(at: now) }
            .map { entry, plan in
                let body = entry.content.body
                let name = body.text(Drug.name) ?? body.text(Drug.rawText) ?? words.label(entry.kind.label)
                let (unit, strength) = (body.text(PlanFields.unit), PlanStrength(body))
                return Item(
                    name: [name, body.text(Drug.dosage)].compactMap(\.self).joined(separator: ", "),
                    rules: plan.currentRules(at: now)
                        .map { reader.rule($0, stopped: plan.stopped, unit: unit, strength: strength) }
                        + reader.remarks(of: plan, at: now),
                    purpose: body.text(PlanFields.indication) ?? "",
                    prescriber: body.text(PlanFields.prescribedBy) ?? ""
                )
            }
        isEmpty = items.isEmpty
        let from = doses.from
        weekHeading = words["sheetWeek", reader.day(from)]
        previousAddress = "\(head.address)/sheet?from=\(from.adding(days: -7))"
        nextAddress = "\(head.address)/sheet?from=\(from.adding(days: 7))"
        let week = (0..<7).map { from.adding(days: $0) }
        days = week.map(reader.day)
        rows = MedicationSheet.rows(doses.doses, week, today: now.day, reader)
        hasDoses = !rows.isEmpty
    }

    /// Groups the doses by medication, amount and time of day.
    private static func rows(
        _ doses: [PlannedDoseDocument],
        _ week: [Day],
        today: Day,
        _ reader: Reader
    ) -> [Row] {
        var order: [String] = []
        var cells: [String: [String: SlotState]] = [:]
        for dose in doses where dose.state != .paused {
            let time = String(dose.local.dropFirst(11).prefix(5))
            let amount = reader.amount(dose.amount, dose.amountText, dose.unit, dose.strength)
            let label = [time, dose.name, amount].filter { !$0.isEmpty }.joined(separator: " ")
            // Two plans may have the same name.
            let row = "\(label)\n\(dose.plan.text)"
            if cells[row] == nil { order.append(row) }
            cells[row, default: [:]][dose.listedDay(today: today)] = dose.state
        }
        return order.sorted()
            .map { row in
                Row(
                    label: String(row.prefix { $0 != "\n" }),
                    cells: week.map { day in
                        let state = cells[row]?[day.description]
                        let isSettled = state.map { [.taken, .partly, .skipped].contains($0) } ?? false
                        return Cell(
                            isDue: state != nil,
                            label: state.map { reader.words["state.\($0.rawValue)"] } ?? "",
                            symbol: isSettled ? state?.symbol ?? "" : "☐"
                        )
                    }
                )
            }
    }
}

extension Plan {
    /// The rules that apply at a moment or later; the latest rule if there is none.
    func currentRules(at now: WallMoment) -> [PlanRule] {
        let current = rules.filter { !$0.hasEnded(at: now) }
        return current.isEmpty ? Array(rules.suffix(1)) : current
    }

    /// Whether nothing of the plan applies any more.
    func hasEnded(at now: WallMoment) -> Bool {
        isStopped(at: now) || !rules.isEmpty && rules.allSatisfy { $0.hasEnded(at: now) }
    }
}
