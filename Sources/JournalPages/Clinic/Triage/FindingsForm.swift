internal import FoundationEssentials
package import HealthModel

/// The form of the findings of an assessment: creates its fields, and reads them when they are sent.
package struct FindingsForm: Sendable {
    private let rules: TriageRules
    private let species: SpeciesCode?
    private let view: PracticeView

    /// `species` is that of the record; nil if the record states none, or one that triage does not know.
    package init(_ rules: TriageRules, species: SpeciesCode?, _ view: PracticeView) {
        self.rules = rules
        self.species = species
        self.view = view
    }

    /// The values that the form begins with: those of the last assessment that stay true until they are changed.
    ///
    /// Measured values and the examination are not among them: each assessment enters what it found itself.
    package static func begun(after findings: TriageFindings?) -> (typed: [String: String], signs: [String]) {
        guard let findings else { return ([:], []) }
        var typed: [String: String] = [:]
        typed["symptoms"] = findings.values.texts(TriageFindings.symptoms).joined(separator: "\n")
        typed["specialty"] = findings.specialty
        typed["wished"] = findings.wished?.text
        return (typed, findings.signsFound.map(\.code))
    }

    // MARK: - Output

    /// One part of the examination, as a group of radio buttons.
    package struct Part: Sendable {
        package let letter: String
        package let label: String
        package let name: String
        package let problem: String?
        package let options: [FormOption]
    }

    /// The signs of one level, as boxes to tick.
    package struct Signs: Sendable {
        package let badge: LevelBadge
        package let options: [FormOption]
    }

    package func examination(_ typed: [String: String], _ problems: [String: String]) -> [Part] {
        TriageFindings.examination.map { part, field in
            let chosen = typed[field.name].flatMap { $0.isEmpty ? nil : $0 } ?? AssessmentResult.notAssessed.rawValue
            return Part(
                letter: part.rawValue.prefix(1).uppercased(),
                label: view.words.label(field.label),
                name: field.name,
                problem: problems[field.name],
                options: AssessmentResult.allCases.map {
                    FormOption($0.rawValue, view.words["examined.\($0.rawValue)"], isChosen: $0.rawValue == chosen)
                }
            )
        }
    }

    /// The signs of the rule set, the most urgent level first.
    package func signs(_ ticked: [String]) -> [Signs] {
        UrgencyLevel.allCases.compactMap { level in
            let options = rules.signs.filter { $0.level == level && $0.sign != .immediate }
                .map { rule in
                    FormOption(
                        rule.sign.code,
                        Sentence.begun(FindingsForm.sign(rule.sign.code, view.words)),
                        isChosen: ticked.contains(rule.sign.code)
                    )
                }
            return options.isEmpty ? nil : Signs(badge: LevelBadge(level, view.words), options: options)
        }
    }

    /// The vital signs, with the usual range of the species and the limits of the rule set.
    package func vitals(_ typed: [String: String], _ problems: [String: String]) -> [FormField] {
        FindingsForm.vitalNames.compactMap { name in
            guard let path = TriageFindings.fields.path(named: name), let type = path.fields.last?.type else {
                return nil
            }
            let label = FindingsForm.label(path, view.words)
            let value = typed[name] ?? ""
            var field: FormField
            switch type {
            case .choice(let codes):
                field = choice(name, label, codes.map { ($0, FindingsForm.word($0, of: name, view.words)) }, value)
            case .flag:
                field = choice(name, label, [("true", view.words["yes"]), ("false", view.words["no"])], value)
            default:
                field = FormField(name, label, .number, value: value)
            }
            field.problem = problems[name]
            field.hint = hint(of: name)
            return field
        }
    }

    /// Everything after the vital signs: the weight, symptoms, notes, and what the ranking of specialists uses.
    package func rest(_ typed: [String: String], _ problems: [String: String]) -> [FormField] {
        let words = view.words
        func field(_ name: String, _ input: FormField.Input) -> FormField {
            FormField(name, words["finding.\(name)"], input, value: typed[name] ?? "", problem: problems[name])
        }
        var symptoms = field("symptoms", .paragraphs)
        symptoms.hint = words["hint.symptoms"]
        var weight = field("weight", .number)
        weight.hint = words["hint.triageWeight"]
        var fields = [weight, symptoms, field("notes", .paragraphs)]
        let specialties = view.practice.profile.specialties.map { ($0.name, $0.name) }
        if !specialties.isEmpty {
            var specialty = choice("specialty", words["finding.specialty"], specialties, typed["specialty"] ?? "")
            specialty.hint = words["hint.specialtyRanking"]
            specialty.problem = problems["specialty"]
            fields.append(specialty)
        }
        let specialists = view.specialists.map { ($0.id.text, $0.profile.name) }
        if !specialists.isEmpty {
            var wished = choice("wished", words["finding.wished"], specialists, typed["wished"] ?? "")
            wished.problem = problems["wished"]
            fields.append(wished)
        }
        return fields
    }

    private func choice(_ name: String, _ label: String, _ options: [(String, String)], _ value: String) -> FormField {
        var field = FormField(name, label, .choice, value: value)
        field.options =
            [FormOption("", view.words["notSaid"], isChosen: value.isEmpty)]
            + options.map { FormOption($0.0, $0.1, isChosen: $0.0 == value) }
        return field
    }

    // MARK: - Input

    /// Whether the form has a field of this name.
    package static func has(_ name: String) -> Bool {
        TriageFindings.fields.leaves.contains { $0.name == name }
    }

    /// Reads the typed values, and adds the problems by field.
    package static func read(
        _ typed: [String: String],
        signs: [String],
        _ problems: inout [String: String],
        _ reader: Reader
    ) -> TriageFindings {
        var findings = TriageFindings(values: FieldValues())
        findings.signsFound = signs.map { TriageSign($0) }
        findings.values[TriageFindings.symptoms] = .list(
            (typed["symptoms"] ?? "").withoutOuterSpaces.split(separator: "\n")
                .map { .text(String($0).withoutOuterSpaces) }
        )
        for path in TriageFindings.fields.leaves {
            guard let field = path.fields.last, field != TriageFindings.symptoms, field != TriageFindings.signs
            else { continue }
            var text = (typed[path.name] ?? "").withoutOuterSpaces
            if text.isEmpty || text == AssessmentResult.notAssessed.rawValue { continue }
            switch field.type {
            case .decimal, .integer:
                if reader.isAmbiguous(text) {
                    let (thousands, fraction) = (text.replacing(".", with: ""), text.replacing(".", with: ","))
                    problems[path.name] = reader.words["ambiguousNumber", text, thousands, fraction]
                    continue
                }
                text = reader.plainNumber(text)
            default: break
            }
            do {
                try findings.set(path.name, text: text)
            } catch {
                problems[path.name] = reader.words.sentence(error.text)
            }
        }
        return findings
    }

    // MARK: - Words

    private static let vitalNames = [
        "heartRate", "respiratoryRate", "panting", "temperature", "fahrenheit", "consciousness", "mucousMembrane",
        "capillaryRefill", "oxygenSaturation", "bloodPressure.systolic", "bloodPressure.diastolic",
        "bloodPressure.mean", "pain",
    ]

    /// The label of a field, with its unit.
    static func label(_ path: FieldPath, _ words: Words) -> String {
        words.texts["finding.\(path.name)"] ?? words.label(path.label)
    }

    /// The words for a sign; a practice's own sign is written as its code says.
    static func sign(_ code: String, _ words: Words) -> String {
        words.texts["sign.\(code)"] ?? words.label(TriageWords.plain(code))
    }

    private static func word(_ code: String, of field: String, _ words: Words) -> String {
        words.texts["\(field).\(code)"] ?? words.label(TriageWords.plain(code))
    }

    /// Returns a value as text for people; nil for a specialist who is not known any more.
    static func shown(_ value: FieldValue, as field: Field, _ view: PracticeView) -> String? {
        switch value {
        case .flag(let flag): view.words[flag ? "yes" : "no"]
        case .id(let id): view.specialist(id)
        case .decimal(let decimal): view.reader.number(decimal)
        case .integer(let integer): view.reader.number(integer)
        case .list(let items):
            items.compactMap { item in
                item.text.map { field == TriageFindings.signs ? sign($0, view.words) : $0 }
            }
            .joined(separator: ", ")
        case .text(let text):
            if case .choice = field.type {
                view.words.texts["examined.\(text)"] ?? word(text, of: field.name, view.words)
            } else {
                text
            }
        default: value.text
        }
    }

    /// The usual range of the species, and the limits that all species have in common.
    private func hint(of name: String) -> String? {
        guard let item = TriageItem(rawValue: name) else { return nil }
        let parts = [usual(item), limits(item)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// The usual range in the rows of the species; the first row that applies to the patient counts.
    private func usual(_ item: TriageItem) -> String? {
        guard let species, [.heartRate, .respiratoryRate, .temperature].contains(item) else { return nil }
        let words = view.words
        let rows = rules.limits.filter { $0.species == species }
        let name = words.label(TriageWords.plain(species.rawValue))
        guard !rows.isEmpty else { return words["noUsualRange", name] }
        var texts = rows.map { row in
            let limits =
                item == .heartRate ? row.heartRate : item == .temperature ? row.temperature : row.respiratoryRate
            return (range: range(limits.usual), group: group(row))
        }
        // A group whose range is that of all others needs no mention.
        while texts.count > 1, texts[texts.count - 2].range == texts[texts.count - 1].range {
            texts.remove(at: texts.count - 2)
        }
        let last = texts.count - 1
        let shown = texts.enumerated()
            .map { number, text in
                if text.group.isEmpty {
                    return number == 0 || number < last ? text.range : words["otherwise", text.range]
                }
                return words["rangeOfGroup", text.range, text.group]
            }
            .joined(separator: ", ")
        return words["usualRange", name, shown]
    }

    private func group(_ row: SpeciesLimits) -> String {
        let words = view.words
        let age = row.youngerThan.map {
            words["youngerThan", words.count($0.count, $0.unit.rawValue, view.reader.number($0.count))]
        }
        let weight = row.lighterThan.map { words["lighterThan", view.reader.number($0.withoutTrailingZeros)] }
        return [age, weight].compactMap(\.self).joined(separator: ", ")
    }

    private func range(_ span: LimitSpan) -> String {
        func text(_ limit: ExactDecimal?) -> String? { limit.map { view.reader.number($0.withoutTrailingZeros) } }
        return switch (text(span.lowest), text(span.highest)) {
        case (let lowest?, let highest?): "\(lowest)–\(highest)"
        case (let lowest?, nil): view.words["rangeFrom", lowest]
        case (nil, let highest?): view.words["rangeTo", highest]
        case (nil, nil): view.words["rangeAny"]
        }
    }

    private func limits(_ item: TriageItem) -> String? {
        let words = view.words
        let texts = rules.thresholds.filter { $0.input == item }.sorted { $0.level < $1.level }
            .map { rule in
                func number(_ limit: ExactDecimal) -> String { view.reader.number(limit.withoutTrailingZeros) }
                let condition =
                    switch rule.condition {
                    case .word(let word): FindingsForm.word(word, of: item.rawValue, words)
                    case .below(let limit): words["limitBelow", number(limit)]
                    case .above(let limit): words["limitAbove", number(limit)]
                    case .atLeast(let limit): words["limitAtLeast", number(limit)]
                    }
                let level = words["levelNumber", String(rule.level.rawValue), words["level.\(rule.level.name)"]]
                return words["limitLevel", condition, level]
            }
        return texts.isEmpty ? nil : words["limitsOf", texts.joined(separator: ", ")]
    }
}

extension Sentence {
    /// Returns words with a capital at the beginning, and without a full stop.
    static func begun(_ words: String) -> String {
        words.prefix(1).uppercased() + words.dropFirst()
    }
}
