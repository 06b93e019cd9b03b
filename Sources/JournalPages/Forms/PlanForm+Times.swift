internal import FoundationEssentials
internal import HealthModel

/// The times of day of a plan, each a line of its form with the amount that is taken then.
extension PlanForm {
    /// The name of the list in the form.
    static let times = "times"

    /// The greatest number of times of day of a plan.
    private static let mostTimes = 24

    /// A line of the form with a time or an amount.
    struct TypedTime: Equatable {
        let index: Int
        let at: String
        let amount: String
    }

    /// Returns the name of a field of a line.
    static func name(_ index: Int, _ field: String) -> String { "\(times).\(index).\(field)" }

    /// Returns the lines that are not empty.
    static func typedTimes(_ typed: [String: String]) -> [TypedTime] {
        (0..<mostTimes)
            .map { index in
                TypedTime(
                    index: index,
                    at: (typed[name(index, "at")] ?? "").withoutOuterSpaces,
                    amount: (typed[name(index, "amount")] ?? "").withoutOuterSpaces
                )
            }
            .filter { !$0.at.isEmpty || !$0.amount.isEmpty }
    }

    /// Returns the values of the lines for times with their amounts.
    static func typed(_ times: [(at: String, amount: String)]) -> [String: String] {
        var typed: [String: String] = [:]
        for (index, time) in times.enumerated() {
            (typed[name(index, "at")], typed[name(index, "amount")]) = (time.at, time.amount)
        }
        return typed
    }

    // MARK: - Fields

    /// The lines that were typed, at least one, and one more if the button was pressed that adds one.
    func times(_ typed: [String: String], _ problems: [String: String]) -> [FormField] {
        let last = PlanForm.typedTimes(typed).last
        var count = max(1, min(EntryForm.lineCount(of: PlanForm.times, typed), PlanForm.mostTimes))
        var typed = typed
        // The amount stays when a pattern without times of day is replaced by one with them.
        if last == nil { typed[PlanForm.name(0, "amount")] = typed["amount"] ?? "" }
        if typed["step"] == PlanForm.times, count < PlanForm.mostTimes {
            // Most doses of a day are equal; the person sees the amount, and changes it if not.
            typed[PlanForm.name(count, "amount")] = last?.amount ?? ""
            count += 1
        }
        let addition = count < PlanForm.mostTimes ? reader.words["addLine.times"] : nil
        let list = FormList(
            name: PlanForm.times,
            label: reader.words["plan.times"],
            addition: addition,
            most: PlanForm.mostTimes
        )
        return (0..<count)
            .flatMap { index in
                let line = FormLine(
                    "\(PlanForm.times).\(index)",
                    label: "\(reader.words["plan.time"]) \(reader.number(index + 1))",
                    list: list
                )
                return [("at", "plan.time", FormField.Input.time), ("amount", "amount", .number)]
                    .map { name, label, input in
                        let name = PlanForm.name(index, name)
                        var field = FormField(
                            name,
                            reader.words[label],
                            input,
                            value: typed[name] ?? "",
                            problem: problems[name]
                        )
                        field.line = line
                        if input == .number, let unit = typed["unit"], !unit.isEmpty { field.unit = unit }
                        return field
                    }
            }
    }

    /// The only time of day of a taper, whose amounts are those of its steps.
    func time(_ typed: [String: String], _ problems: [String: String]) -> FormField {
        let name = PlanForm.name(0, "at")
        return FormField(name, reader.words["plan.time"], .time, value: typed[name] ?? "", problem: problems[name])
    }

    // MARK: - Reading

    /// Returns the times with their amounts as the command line writes them: `08:00=1,20:00=2`.
    func times(_ typed: [String: String], _ problems: inout [String: String]) -> String {
        let lines = PlanForm.typedTimes(typed)
        if lines.isEmpty { problems[PlanForm.name(0, "at")] = reader.words["plan.timesWrong"] }
        return
            lines.map { line in
                let at = try? WallTime(typed: line.at)
                if at == nil { problems[PlanForm.name(line.index, "at")] = reader.words["plan.timesWrong"] }
                let amount = reader.plainNumber(line.amount)
                if reader.isAmbiguous(line.amount) || (try? Intake(amount: amount)) == nil {
                    problems[PlanForm.name(line.index, "amount")] = reader.words["amountNeeded"]
                }
                return "\(at?.description ?? "")\(amount.isEmpty ? "" : "=\(amount)")"
            }
            .joined(separator: ",")
    }
}
