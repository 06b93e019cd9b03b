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
            .flatMap { path in
                let value = typed.map { $0[path.name] ?? "" } ?? shown(path, of: profile)
                var field = FormField(path, value: value, problem: problems[path.name], reader)
                if path.name == RecordProfile.animalID.name, let doubt = MicrochipNumber.doubt(about: value) {
                    field.hint = reader.words.sentence(recognizing: doubt.text)
                }
                guard path.isDayOrPeriod, let last = path.fields.last else { return [field] }
                let name = precisionName(path)
                let precision = DatePrecision(of: profile.values.partialDate(last))
                return [field, FormField(name, precision, typed: typed?[name], reader)]
            }
    }

    /// The text of a value in its input; of a month or a year, the first day.
    private func shown(_ path: FieldPath, of profile: RecordProfile) -> String {
        if path.isDayOrPeriod, let last = path.fields.last, let date = profile.values.partialDate(last) {
            return date.firstDay.description
        }
        return profile.values[path]?.text ?? ""
    }

    private func precisionName(_ path: FieldPath) -> String { path.name + "Precision" }

    /// Applies the typed values that differ from the stored ones, and returns the problems by field.
    package func take(_ typed: [String: String], into profile: inout RecordProfile) -> [String: String] {
        var problems: [String: String] = [:]
        for path in paths(profile) {
            var text = (typed[path.name] ?? "").withoutOuterSpaces
            if path.isDayOrPeriod, let last = path.fields.last, let day = try? Day(parsing: text) {
                // A form without the choice, such as one that an older program showed, does not change the precision.
                let known = DatePrecision(of: profile.values.partialDate(last))
                let precision = typed[precisionName(path)].map { DatePrecision(rawValue: $0) ?? .day } ?? known
                text = precision.date(of: day).description
            }
            let stored = profile.values[path]?.text ?? ""
            guard text != stored.returned(isLine: path.isLine) else { continue }
            do {
                try profile.set(path.name, text: text.typed(over: stored))
            } catch {
                problems[error.field ?? path.name] = reader.words.sentence(error.text)
            }
        }
        return problems
    }
}

extension FieldPath {
    /// Whether the value is a day, or a month or a year if no more is known.
    fileprivate var isDayOrPeriod: Bool {
        if case .dayOrPeriod? = fields.last?.type { true } else { false }
    }
}
