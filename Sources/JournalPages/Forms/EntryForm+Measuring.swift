internal import HealthModel

/// The numbers of a common measurement.
extension EntryForm {
    /// Returns the fields that the form of a common measurement asks for; none for another form.
    func measured(_ typed: [String: String]?, _ problems: [String: String]) -> [FormField] {
        guard let measurement else { return [] }
        return measurement.paths.map { path in
            let value = typed?[path.name] ?? ""
            let isUnit = path.fields == [MeasuredValue.unit]
            let part = path.fields.count > 1 ? measurement.parts[Int(path.fields[1].number)] : nil
            let label = part.map { reader.words["measure.\($0.lowercased())"] }
            let input: FormField.Input = isUnit ? .choice : .number
            var field = FormField(
                path.name,
                isUnit
                    ? reader.words.label(MeasuredValue.unit.label)
                    : label ?? reader.words["measure.\(measurement.rawValue)"],
                input,
                value: value,
                problem: problems[path.name]
            )
            field.isRequired = true
            if measurement.paths.count > 1 { field.line = FormLine("measured") }
            if isUnit {
                field.options =
                    [FormOption("", reader.words["notSaid"], isChosen: value.isEmpty)]
                    + measurement.units.map { FormOption($0, $0, isChosen: $0 == value) }
            } else if measurement.units.count == 1 {
                field.unit = measurement == .pain ? reader.words["measure.ofTen"] : measurement.units[0]
            }
            if measurement == .pain { field.hint = reader.words["hint.pain"] }
            return field
        }
    }

    /// Writes the typed numbers of a common measurement into its entry.
    func takeMeasured(_ typed: [String: String], _ content: inout EntryContent, _ problems: inout [String: String]) {
        guard let measurement else { return }
        measurement.prepare(&content.body)
        for path in measurement.paths {
            let text = (typed[path.name] ?? "").withoutOuterSpaces
            if path.fields == [MeasuredValue.unit] {
                if measurement.units.contains(text) {
                    content.body[path] = .text(text)
                } else {
                    problems[path.name] = reader.words["unitNeeded"]
                }
                continue
            }
            let range = measurement.range
            let isInRange = { (number: ExactDecimal) in
                number >= ExactDecimal(coefficient: range.lowerBound, scale: 0)
                    && number <= ExactDecimal(coefficient: range.upperBound, scale: 0)
            }
            if !reader.isAmbiguous(text), let number = try? ExactDecimal(parsing: reader.plainNumber(text)),
                isInRange(number)
            {
                content.body[path] = .text(number.description)
            } else {
                problems[path.name] =
                    reader.words["numberBetween", reader.number(range.lowerBound), reader.number(range.upperBound)]
            }
        }
    }
}
