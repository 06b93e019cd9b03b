internal import FoundationEssentials
package import HealthModel

/// The form of several laboratory results of one day.
///
/// It offers the results that the record has already with their units and ranges, so that only the values are typed.
package struct PanelForm: Sendable {
    private static let list = "results"
    /// The greatest number of lines: a form has at most 200 fields.
    private static let most = 35
    /// The lines that are empty at first.
    private static let empty = 3
    private static let line = [Blood.name, Blood.value, Blood.unit, Blood.low, Blood.high]
    private static let shared = [Blood.laboratory, Blood.panel, Blood.fasting]

    private let reader: Reader

    package init(_ reader: Reader) { self.reader = reader }

    /// Returns what the form has at first, after the results that the record has.
    package func begun(after entries: [EntryState], on today: Day) -> [String: String] {
        var known: Set<FoldedName> = []
        let former = entries.filter { $0.kind == Blood.kind && !$0.isRetracted }.latestFirst
        let newest = former.filter { entry in
            entry.content.body.text(Blood.name).map { known.insert(FoldedName($0)).inserted } ?? false
        }
        var typed = ["date": today.description]
        typed[Blood.laboratory.name] = former.first?.content.body.text(Blood.laboratory)
        for (index, entry) in newest.prefix(Self.most - Self.empty).enumerated() {
            let body = entry.content.body
            typed[name(index, Blood.name)] = body.text(Blood.name)
            typed[name(index, Blood.unit)] = body.text(Blood.unit)
            for field in [Blood.low, Blood.high] { typed[name(index, field)] = body.decimal(field).map(reader.typed) }
        }
        for _ in 0..<Self.empty { typed = addingLine(to: typed) }
        return typed
    }

    /// Whether the button was pressed that adds a line.
    package func addsLine(_ typed: [String: String]) -> Bool { typed["step"] == Self.list }

    /// Returns the typed values with an empty line more.
    package func addingLine(to typed: [String: String]) -> [String: String] {
        var typed = typed
        let count = EntryForm.lineCount(of: Self.list, typed)
        if count < Self.most { typed[name(count, Blood.name)] = "" }
        return typed
    }

    private func name(_ index: Int, _ field: Field) -> String { "\(Self.list).\(index).\(field.name)" }

    package func fields(_ typed: [String: String], problems: [String: String] = [:]) -> [FormField] {
        let words = reader.words
        var fields = [FormField("date", words["date"], .day, value: typed["date"] ?? "", problem: problems["date"])]
        fields[0].line = FormLine("date")
        for field in Self.shared {
            guard let path = Blood.kind.fields.path(named: field.name) else { continue }
            var shown = FormField(path, value: typed[field.name] ?? "", problem: problems[field.name], reader)
            if field != Blood.fasting { shown.line = FormLine("date") }
            fields.append(shown)
        }
        let count = EntryForm.lineCount(of: Self.list, typed)
        var list = FormList(name: Self.list, label: words.label(Blood.kind.plural), most: Self.most)
        if count < Self.most { list.addition = words["addLine.results"] }
        for index in 0..<count {
            for field in Self.line {
                let name = name(index, field)
                let isNumber = field == Blood.low || field == Blood.high
                var shown = FormField(
                    name,
                    words.label(field.label),
                    isNumber ? .number : .line,
                    value: typed[name] ?? "",
                    problem: problems[name]
                )
                shown.line = FormLine(
                    "\(Self.list).\(index)",
                    label: "\(words.label(Blood.kind.label)) \(reader.number(index + 1))",
                    list: list
                )
                fields.append(shown)
            }
        }
        return fields
    }

    /// Returns the results whose values were typed, and the problems by field.
    package func results(_ typed: [String: String]) -> (contents: [EntryContent], problems: [String: String]) {
        let form = EntryForm(Blood.kind, reader)
        var (contents, problems): ([EntryContent], [String: String]) = ([], [:])
        for index in 0..<EntryForm.lineCount(of: Self.list, typed) {
            guard let value = typed[name(index, Blood.value)], !value.withoutOuterSpaces.isEmpty else { continue }
            var row = ["date": typed["date"] ?? ""]
            for field in Self.shared { row[field.name] = typed[field.name] }
            for field in Self.line { row[field.name] = typed[name(index, field)] }
            var content = EntryContent(kind: Blood.kind)
            for (field, text) in form.take(row, into: &content) { problems[place(of: field, index)] = text }
            if content.body[Blood.name] == nil { problems[name(index, Blood.name)] = reader.words["resultNameNeeded"] }
            contents.append(content)
        }
        return (contents, problems)
    }

    /// Returns the field of the form that shows the problem of a field of the result on a line.
    package func place(of field: String, _ index: Int) -> String {
        Self.line.contains { $0.name == field } ? "\(Self.list).\(index).\(field)" : field
    }
}
