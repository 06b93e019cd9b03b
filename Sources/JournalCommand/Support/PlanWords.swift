import HealthModel
import Interchange

/// What entries of plans say on a terminal, where their rules are shown as lines and not as fields.
extension EntryContent {
    /// The fields that are the rules and pauses of a plan, or follow from a change of them.
    private static let planned = [PlanFields.rules, PlanFields.pauses, PlanFields.lastChange]

    /// The plan in words; empty if there is none.
    func planText(recordedAt: Instant, _ output: Output) -> String {
        PlanLine.lines(of: self, recordedAt: recordedAt, time: output.time).map(\.description).joined(separator: "; ")
    }

    /// The values besides the title in one line.
    func shownDetails(recordedAt: Instant, _ output: Output) -> String {
        guard Plan.kinds.contains(kind) else { return details }
        var others = self
        for field in Self.planned { others.body[field] = nil }
        let plan = planText(recordedAt: recordedAt, output)
        return [others.details, plan.isEmpty ? "" : "when: \(plan)"].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The changes from an earlier version, in words.
    func shownChanges(from before: EntryContent?, recordedAt: Instant, _ output: Output) -> String {
        let changes = changes(from: before)
        guard Plan.kinds.contains(kind) else { return changes.shown }
        var shown = changes.filter { change in
            !Self.planned.contains { change.path == $0.name || change.path.hasPrefix("\($0.name).") }
        }
        let plans = [before, self].map { $0?.planText(recordedAt: recordedAt, output) ?? "" }
            .map { $0.isEmpty ? nil : $0 }
        if plans[0] != plans[1] {
            shown.append(FieldChange(path: "when", label: "When", before: plans[0], after: plans[1]))
        }
        // A change that the words do not show is shown by its fields.
        return shown.isEmpty ? changes.shown : shown.shown
    }
}
