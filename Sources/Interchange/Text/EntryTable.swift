package import FoundationEssentials
package import HealthModel

/// A table of the entries of one kind, with the columns that any of the entries has.
package struct EntryTable {
    private let kind: Kind
    private let names: [UUID: String]
    private let date: (OccurredDate?) -> String

    /// The parts of a plan that are shown as its lines, or that say nothing to a reader.
    private static let planned = [PlanFields.rules, PlanFields.pauses, PlanFields.lastChange]

    /// `names` are those of entries to which others refer, and `date` writes the date of an entry, which may have none.
    package init(_ kind: Kind, names: [UUID: String] = [:], date: @escaping (OccurredDate?) -> String) {
        (self.kind, self.names, self.date) = (kind, names, date)
    }

    package func table(_ entries: [EntryState]) -> TextTable {
        let paths = leaves.filter { path in entries.contains { $0.content.body[path] != nil } }
        var table = TextTable(
            [.init("ENTRY"), .init("DATE")] + paths.map { .init($0.label.uppercased(), $0.alignment) }
        )
        let plans = entries.map(plan)
        let hasPlans = plans.contains { !$0.isEmpty }
        table.columns += (hasPlans ? [.init("WHEN")] : []) + [.init("COMMENT")]
        let length = UUID.lengthOfBeginnings(entries.map(\.id))
        for (entry, plan) in zip(entries, plans) {
            let values = paths.map { entry.content.body[$0].map(shown) ?? "" } + (hasPlans ? [plan] : [])
            let comment = entry.isRetracted ? "[retracted] " + entry.content.comment : entry.content.comment
            table.add([String(entry.id.text.prefix(length)), date(entry.content.date)] + values + [comment])
        }
        return table
    }

    /// The plan of an entry in words; empty if it has none.
    private func plan(of entry: EntryState) -> String {
        PlanLine.lines(of: entry.content, recordedAt: entry.added.recordedAt) { date(.instant($0)) }
            .map(\.description).joined(separator: "; ")
    }

    /// Returns the values that an entry has, each with the name of its field, without the date and the comment.
    package func values(of entry: EntryState) -> [(name: String, value: String)] {
        let plan = plan(of: entry)
        return leaves.compactMap { path in entry.content.body[path].map { (path.label, shown($0)) } }
            + (plan.isEmpty ? [] : [("When", plan)])
    }

    private var leaves: [FieldPath] {
        kind.fields.leaves.filter { path in
            let field = path.fields[0]
            // Which planned dose it is says nothing to a reader, other than when that was due.
            return kind == Dose.kind ? field != Dose.slot : !Plan.kinds.contains(kind) || !Self.planned.contains(field)
        }
    }

    private func shown(_ value: FieldValue) -> String {
        switch value {
        case .id(let id): names[id] ?? String(id.text.prefix(13))
        case .instant(let instant): date(.instant(instant))
        default: value.shownText
        }
    }
}

extension FieldPath {
    /// Right for numbers, left for all other fields.
    fileprivate var alignment: TextTable.Column.Alignment {
        switch fields.last?.type {
        case .decimal, .integer: .right
        default: .left
        }
    }
}

extension RecordProfile {
    /// The fields that have a value, one line each, safe for a terminal.
    package var lines: [String] {
        fields.leaves.compactMap { path in
            values[path]?.text.map { TerminalText.escaped("\(path.label): \($0)") }
        }
    }
}
