internal import Mustache

/// Gives a template access to the properties of a field.
extension FormField: MustacheParent {
    package func child(named: String) -> Any? {
        switch named {
        case "id": id
        case "name": name
        case "label": label
        case "hint": hint
        case "value": value
        case "problem": problem
        case "isRequired": isRequired
        case "described": described
        case "options": options
        case "step": step
        case "isInput": inputType != nil
        case "type": inputType
        case "attributes": attributes
        case "isParagraphs": isParagraphs
        case "isFlag": input == .flag
        case "isChecked": value == "true"
        case "isSelect": input == .choice && !takesSeveral
        case "isSeveral": input == .choice && takesSeveral
        case "unit": unit
        case "list": completions.isEmpty ? nil : "\(id)-list"
        case "completions": completions
        default: nil
        }
    }

    var isFile: Bool { input == .file }
    var isParagraphs: Bool { input == .paragraphs }

    /// Whether the field has a value other than the usual one, or a problem; then the form always shows it.
    var isNeeded: Bool {
        problem != nil || (input == .flag ? value == "true" : !value.isEmpty && value != usual)
    }

    /// The HTML id that connects the input with its label, hint and problem.
    var id: String { "field-\(place)\(name.replacing(".", with: "-"))" }

    /// The ids of the texts that describe the input, for `aria-describedby`.
    private var described: String? {
        let ids = [
            unit.map { _ in "\(id)-unit" }, hint.map { _ in "\(id)-hint" }, problem.map { _ in "\(id)-problem" },
        ]
        .compactMap(\.self)
        return ids.isEmpty ? nil : ids.joined(separator: " ")
    }

    private var inputType: String? {
        switch input {
        case .line, .number, .code: "text"
        case .day: "date"
        case .time: "time"
        case .moment: "datetime-local"
        case .file: "file"
        case .password: "password"
        case .paragraphs, .flag, .choice: nil
        }
    }

    /// The HTML attributes of the input; they are not escaped, because they contain no user data.
    private var attributes: String {
        switch input {
        case .number: " inputmode=\"decimal\" autocomplete=\"off\""
        case .line, .day, .time, .moment, .file: " autocomplete=\"off\""
        case .code: " autocomplete=\"off\" autocapitalize=\"none\" spellcheck=\"false\" data-from-address"
        case .password: " autocomplete=\"\(name == "current" ? "current" : "new")-password\""
        case .paragraphs, .flag, .choice: ""
        }
    }
}
