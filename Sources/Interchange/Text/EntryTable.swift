internal import FoundationEssentials
package import HealthModel

/// A table of the entries of one kind, with the columns that any of the entries has.
package struct EntryTable {
    private let kind: Kind
    private let date: (OccurredDate?) -> String

    /// `date` writes the date of an entry, which may have none.
    package init(_ kind: Kind, date: @escaping (OccurredDate?) -> String) {
        (self.kind, self.date) = (kind, date)
    }

    package func table(_ entries: [EntryState]) -> TextTable {
        let paths = kind.fields.leaves.filter { path in entries.contains { $0.content.body[path] != nil } }
        var table = TextTable(
            [.init("ENTRY"), .init("DATE")] + paths.map { .init($0.label.uppercased(), $0.alignment) } + [
                .init("COMMENT")
            ]
        )
        let length = UUID.lengthOfBeginnings(entries.map(\.id))
        for entry in entries {
            let values = paths.map { entry.content.body[$0]?.shownText ?? "" }
            let comment = entry.isRetracted ? "[retracted] " + entry.content.comment : entry.content.comment
            table.add(
                [String(entry.id.text.prefix(length)), date(entry.content.date)] + values + [comment]
            )
        }
        return table
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
