package import HealthModel

/// The form of a record's profile: creates its fields, and reads them when they are submitted.
package struct ProfileForm: Sendable {
    private let reader: Reader

    package init(_ reader: Reader) {
        self.reader = reader
    }

    private func paths(_ profile: RecordProfile) -> [FieldPath] {
        profile.fields.leaves.filter { !RecordProfile.hidden.contains($0.name) }
    }

    package func fields(
        _ profile: RecordProfile,
        typed: [String: String]? = nil,
        problems: [String: String] = [:]
    ) -> [FormField] {
        paths(profile)
            .map { path in
                let value = typed.map { $0[path.name] ?? "" } ?? profile.values[path]?.text ?? ""
                return FormField(path, value: value, problem: problems[path.name], reader)
            }
    }

    /// Applies the typed values that differ from the stored ones, and returns the problems by field.
    package func take(_ typed: [String: String], into profile: inout RecordProfile) -> [String: String] {
        var problems: [String: String] = [:]
        for path in paths(profile) {
            let text = (typed[path.name] ?? "").withoutOuterSpaces
            let stored = profile.values[path]?.text ?? ""
            guard text != stored.returned(isLine: path.isLine) else { continue }
            do {
                try profile.set(path.name, text: text.typed(over: stored))
            } catch {
                problems[error.field ?? path.name] = reader.words.sentence(error.message)
            }
        }
        return problems
    }
}
