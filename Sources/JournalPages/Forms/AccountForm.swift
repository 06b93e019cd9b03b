package import HealthModel

/// The forms of an account's profile and of its preferences: creates their fields, and reads them when they are submitted.
package struct AccountForm: Sendable {
    private let reader: Reader

    package init(_ reader: Reader) {
        self.reader = reader
    }

    /// The preferences that the form of the language and the formats asks for.
    private static let displayed: Set<String> = ["language", "timeZone"]

    private static func paths<Settings: FieldDescribed>(of settings: Settings.Type) -> [FieldPath] {
        settings.fields.leaves.filter { !displayed.contains($0.name) }
    }

    package func fields<Settings: FieldDescribed>(
        _ settings: Settings,
        typed: [String: String]? = nil,
        problems: [String: String] = [:]
    ) -> [FormField] {
        AccountForm.paths(of: Settings.self)
            .map { path in
                let stored = settings.values[path]?.text ?? ""
                let isFlag = path.fields.last?.type == .flag
                let value = typed.map { isFlag && $0[path.name] == nil ? "false" : $0[path.name] ?? "" } ?? stored
                return FormField(path, value: value, problem: problems[path.name], reader)
            }
    }

    /// Reads the settings of one kind as they were typed, and adds the problems by field.
    package func read<Settings: FieldDescribed>(
        _ typed: [String: String],
        over stored: Settings,
        _ problems: inout [String: String]
    ) -> Settings {
        var settings = stored
        for path in AccountForm.paths(of: Settings.self) {
            let isFlag = path.fields.last?.type == .flag
            let text = (typed[path.name] ?? (isFlag ? "false" : "")).withoutOuterSpaces
            let known = stored.values[path]?.text ?? ""
            guard text != known.returned(isLine: path.isLine) else { continue }
            do {
                try settings.set(path.name, text: text)
            } catch {
                problems[error.field ?? path.name] = reader.words.sentence(error.text)
            }
        }
        return settings
    }
}
