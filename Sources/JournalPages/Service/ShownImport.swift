package import HealthModel

extension Reader {
    /// Describes one change of an import in a line.
    ///
    /// `what` is added, corrected, retracted or kept; `kind` is nil for the profile.
    package func importChange(_ what: String, _ kind: Kind?, _ changes: [FieldChange], isAlike: Bool = false) -> String
    {
        let shown = changes.filter { kind == nil || !EntryContent.hidden.contains($0.path) }
            .map { ShownChange($0, of: kind?.fields ?? [], self) }
        let subject = (kind?.label).map(words.label) ?? words["importProfile"]
        let line = words["import.\(what)", subject]
        let end = isAlike ? " (\(words["importAlike"]))" : ""
        if shown.isEmpty { return line + end }
        // An added entry had no values before.
        let summary = shown.allSatisfy { $0.before == nil } ? values(of: shown) : summary(of: shown)
        return words["labelled", line, summary] + end
    }

    private func values(of changes: [ShownChange]) -> String {
        changes.compactMap { change in change.after.map { words["labelled", change.label, $0] } }
            .joined(separator: "; ")
    }
}
