package import FoundationEssentials
package import HealthModel

/// A table of the entries of one kind, with the columns that any of the entries has.
package struct EntryTable {
    private let kind: Kind
    private let names: [UUID: String]
    private let date: (OccurredDate?) -> String

    /// `names` are those of entries to which others refer, and `date` writes the date of an entry, which may have none.
    package init(_ kind: Kind, names: [UUID: String] = [:], date: @escaping (OccurredDate?) -> String) {
        (self.kind, self.names, self.date) = (kind, names, date)
    }

    package func table(_ entries: [EntryState]) -> TextTable {
        // Which planned dose it is says nothing to a reader, other than when that was due.
        let leaves = kind.fields.leaves.filter { kind != Dose.kind || $0.fields[0] != Dose.slot }
        let paths = leaves.filter { path in entries.contains { $0.content.body[path] != nil } }
        var table = TextTable(
            [.init("ENTRY"), .init("DATE")] + paths.map { .init($0.label.uppercased(), $0.alignment) } + [
                .init("COMMENT")
            ]
        )
        let length = UUID.lengthOfBeginnings(entries.map(\.id))
        for entry in entries {
            let values = paths.map { entry.content.body[$0].map(shown) ?? "" }
            let comment = entry.isRetracted ? "[retracted] " + entry.content.comment : entry.content.comment
            table.add([String(entry.id.text.prefix(length)), date(entry.content.date)] + values + [comment])
        }
        return table
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
