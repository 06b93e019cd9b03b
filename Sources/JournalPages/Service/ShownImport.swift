package import HealthModel

extension Reader {
    /// Describes one change of an import in a line.
    ///
    /// `what` is added, corrected or kept; `kind` is nil for the profile.
    package func importChange(_ what: String, _ kind: Kind?, _ changes: [FieldChange]) -> String {
        let shown = changes.map { ShownChange($0, of: kind?.fields ?? [], self) }
        let subject = kind?.plural ?? words["importProfile"]
        let differences = shown.isEmpty ? "" : ": \(summary(of: shown))"
        return words["import.\(what)", subject] + differences
    }
}
