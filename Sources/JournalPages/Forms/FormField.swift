package import HealthModel

/// One field of a form: its name and label, input type, value and problem.
package struct FormField: Sendable {
    package let name: String
    package var label: String
    package var hint: String?
    package var value: String
    package var isRequired = false
    package var problem: String?
    /// The options of a choice; nil for other inputs.
    package var options: [FormOption]?
    /// The label of a button that shows the fields which belong to the chosen option; nil without one.
    package var step: String?
    /// Whether several options may be chosen.
    package var takesSeveral = false
    /// Values that the browser offers to complete the typed text; any other value may be typed.
    package var completions: [String] = []
    /// The unit of a number, which stands behind its input; nil if the form asks for none, or in a field of its own.
    package var unit: String?
    /// Whether the form shows the field only on request, unless it has a value or a problem.
    package var isMore = false
    /// The value that counts as none, such as the usual option of a choice.
    package var usual = ""
    /// The line that the field shares with others; nil if it has its own.
    package var line: FormLine?
    /// Distinguishes fields of one name in several forms of a page.
    private(set) var place = ""
    let input: Input

    /// The type of the input.
    package enum Input: Hashable, Sendable {
        case line, paragraphs, number, day, time, moment, flag, choice, file, password, code
    }

    package init(_ name: String, _ label: String, _ input: Input, value: String = "", problem: String? = nil) {
        self.name = name
        self.label = label
        self.input = input
        self.value = value
        self.problem = problem
    }
}

extension FormField {
    func placed(in place: String) -> FormField {
        var field = self
        field.place = "\(place)-"
        return field
    }
}

/// One option of a choice.
package struct FormOption: Hashable, Sendable {
    package let value: String
    package let label: String
    package let isChosen: Bool

    package init(_ value: String, _ label: String, isChosen: Bool) {
        self.value = value
        self.label = label
        self.isChosen = isChosen
    }
}

extension FormField {
    /// Creates the field of a kind or a profile from its definition.
    package init(_ path: FieldPath, value: String, problem: String?, _ reader: Reader) {
        let type = path.fields.last?.type ?? .flag
        self.init(path.name, reader.words.label(path.label), Input(type), value: value, problem: problem)
        hint = reader.words.texts["hint.\(path.name)"] ?? reader.words.texts["hint.type.\(type.hintName)"]
        isRequired = path.fields.allSatisfy(\.isRequired)
        if case .choice(let words) = type {
            // No option is preselected: without a value, the empty option is chosen.
            let none =
                isRequired && !value.isEmpty ? [] : [FormOption("", reader.words["notSaid"], isChosen: value.isEmpty)]
            options = none + words.map { FormOption($0, reader.choice($0), isChosen: $0 == value) }
        }
    }
}

extension FormField {
    /// Returns the field as a choice between options; the chosen one is that of the field's value.
    func choosing(_ options: [(value: String, label: String)], _ words: Words) -> FormField {
        var field = FormField(name, label, .choice, value: value, problem: problem)
        (field.hint, field.isRequired, field.isMore, field.line) = (hint, isRequired, isMore, line)
        field.options =
            [FormOption("", words["notSaid"], isChosen: value.isEmpty)]
            + options.map { FormOption($0.value, $0.label, isChosen: $0.value == value) }
        return field
    }
}

extension [FormField] {
    /// Returns the fields; the named one offers values to complete the typed text.
    package func completing(_ name: String, with values: [String]) -> [FormField] {
        map { field in
            guard field.name == name else { return field }
            var field = field
            field.completions = values
            return field
        }
    }
}

extension FormField.Input {
    fileprivate init(_ type: FieldType) {
        self =
            switch type {
            case .text(let maximum): maximum > Limits.line ? .paragraphs : .line
            case .decimal, .integer: .number
            case .day, .dayOrPeriod: .day
            case .flag: .flag
            case .choice: .choice
            case .wallTime: .time
            case .instant: .moment
            case .wallMoment, .partialDate, .zone, .id, .entry, .bytes, .group, .list: .line
            }
    }
}

extension FieldType {
    /// The name of the hint that explains how to write a value of the type; empty without one.
    fileprivate var hintName: String {
        switch self {
        case .wallMoment: "wallMoment"
        case .partialDate: "partialDate"
        case .zone: "zone"
        case .list: "list"
        default: ""
        }
    }
}
