package import HealthModel

extension Reader {
    /// Describes one change of an import in a line.
    ///
    /// `what` is added, corrected or kept; `kind` is nil for the profile.
    package func importChange(_ what: String, _ kind: Kind?, _ changes: [FieldChange]) -> String {
        let shown = changes.map { ShownChange($0, of: kind?.fields ?? [], self) }
        let subject = (kind?.plural).map(words.label) ?? words["importProfile"]
        let line = words["import.\(what)", subject]
        return shown.isEmpty ? line : words["labelled", line, summary(of: shown)]
    }
}
