import FoundationEssentials

/// The stored forms of the parts of an assessment.

extension PatientFacts {
    private static let asOf = Field(1, "asOf", "Assessed on", .day, isRequired: true)
    private static let species = Field(2, "species", "Species", .choice(SpeciesCode.allCases.map(\.rawValue)))
    private static let days = Field(3, "ageDays", "Age (days)", .integer(0...1_000_000))
    private static let months = Field(4, "ageMonths", "Age (months)", .integer(0...100_000))
    private static let weight = Field(5, "weight", "Weight (kg)", .decimal(0...1_000_000))
    private static let history = Field(
        6,
        "history",
        "History",
        .list(of: .group(HistoryEntry.fields), maximum: Limits.eventList)
    )

    static let fields = [asOf, species, days, months, weight, history]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.asOf] = .day(asOf)
        values[Self.species] = species.map { .text($0.rawValue) }
        values[Self.days] = age?.days.fieldValue
        values[Self.months] = age?.months.fieldValue
        values[Self.weight] = weight.map { .decimal($0) }
        values[Self.history] = .list(history.sorted { $0.id.text < $1.id.text }.map { .group($0.values) })
        return values
    }

    init?(values: FieldValues) {
        guard let asOf = values.day(Self.asOf) else { return nil }
        var age: PatientAge?
        if let days = Int(fieldValue: values[Self.days]), let months = Int(fieldValue: values[Self.months]) {
            age = PatientAge(days: days, months: months)
        }
        self.init(
            asOf: asOf,
            species: values.text(Self.species).flatMap(SpeciesCode.init(rawValue:)),
            age: age,
            weight: values.decimal(Self.weight),
            history: values.groups(Self.history).compactMap(HistoryEntry.init)
        )
    }
}

extension PatientFacts.HistoryEntry {
    private static let entry = Field(1, "entry", "Entry", .id, isRequired: true)
    private static let kind = Field(2, "kind", "Kind", .choice(Kind.allCases.map(\.rawValue)), isRequired: true)
    private static let day = Field(3, "day", "Day", .day)

    static let fields = [entry, kind, day]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.entry] = .id(id)
        values[Self.kind] = .text(kind.rawValue)
        values[Self.day] = day.map { .day($0) }
        return values
    }

    init?(values: FieldValues) {
        guard let id = UUID(fieldValue: values[Self.entry]),
            let kind = values.text(Self.kind).flatMap(Kind.init(rawValue:))
        else { return nil }
        self.init(id: id, kind, on: values.day(Self.day))
    }
}

extension TriageReason {
    private static let rule = Field(1, "rule", "Rule", .choice(Rule.allCases.map(\.rawValue)), isRequired: true)
    private static let input = Field(2, "input", "Input", .choice(TriageItem.allCases.map(\.rawValue)))
    private static let value = Field(3, "value", "Value", .text(maximum: Limits.line))
    private static let limit = Field(4, "limit", "Limit", .text(maximum: Limits.line))
    private static let level = Field(5, "level", "Level", .integer(1...5), isRequired: true)

    static let fields = [rule, input, value, limit, level]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.rule] = .text(rule.rawValue)
        values[Self.input] = input.map { .text($0.rawValue) }
        values[Self.value] = value.map { .text($0) }
        values[Self.limit] = limit.map { .text($0) }
        values[Self.level] = level.rawValue.fieldValue
        return values
    }

    init?(values: FieldValues) {
        guard let rule = values.text(Self.rule).flatMap(Rule.init(rawValue:)),
            let level = Int(fieldValue: values[Self.level]).flatMap(UrgencyLevel.init(rawValue:))
        else { return nil }
        self.init(
            rule,
            values.text(Self.input).flatMap(TriageItem.init(rawValue:)),
            value: values.text(Self.value),
            limit: values.text(Self.limit),
            level: level
        )
    }
}

extension TriageContradiction {
    private static let sign = Field(1, "sign", "Sign", .text(maximum: TriageSign.maximumLength), isRequired: true)
    private static let part = Field(
        2,
        "part",
        "Part",
        .choice(ABCDE.Part.allCases.map(\.rawValue)),
        isRequired: true
    )
    private static let result = Field(
        3,
        "result",
        "Result",
        .choice(AssessmentResult.allCases.map(\.rawValue)),
        isRequired: true
    )
    private static let level = Field(4, "level", "Level", .integer(1...5), isRequired: true)

    static let fields = [sign, part, result, level]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.sign] = .text(sign.code)
        values[Self.part] = .text(part.rawValue)
        values[Self.result] = .text(result.rawValue)
        values[Self.level] = level.rawValue.fieldValue
        return values
    }

    init?(values: FieldValues) {
        guard let sign = values.text(Self.sign),
            let part = values.text(Self.part).flatMap(ABCDE.Part.init(rawValue:)),
            let result = values.text(Self.result).flatMap(AssessmentResult.init(rawValue:)),
            let level = Int(fieldValue: values[Self.level]).flatMap(UrgencyLevel.init(rawValue:))
        else { return nil }
        self.init(TriageSign(sign), part, result, level: level)
    }
}

extension CaseComplexity {
    private static let base = Field(1, "base", "Base", .decimal(0...10))
    private static let species = Field(2, "species", "Species", .decimal(0...10))
    private static let age = Field(3, "age", "Age", .decimal(0...10))
    private static let history = Field(4, "history", "History", .decimal(0...10))
    private static let overall = Field(5, "overall", "Overall", .decimal(0...10))
    private static let counted = Field(6, "counted", "Entries counted", .list(of: .id, maximum: Limits.eventList))

    static let fields = [base, species, age, history, overall, counted]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.base] = .decimal(base)
        values[Self.species] = .decimal(species)
        values[Self.age] = .decimal(age)
        values[Self.history] = .decimal(history)
        values[Self.overall] = .decimal(overall)
        values[Self.counted] = counted.fieldValue
        return values
    }

    init(values: FieldValues) {
        func tenths(_ field: Field) -> Int {
            guard let points = values.decimal(field) else { return 0 }
            return Int(clamping: points.truncated(toScale: 1) ?? 0)
        }
        self.init(
            baseTenths: tenths(Self.base),
            speciesTenths: tenths(Self.species),
            ageTenths: tenths(Self.age),
            historyTenths: tenths(Self.history),
            counted: [UUID](fieldValue: values[Self.counted]) ?? []
        )
    }
}

extension RankedSpecialist {
    private static let specialist = Field(1, "specialist", "Specialist", .id, isRequired: true)
    private static let points = Field(2, "points", "Points", .integer(0...100))
    private static let lines = Field(3, "lines", "Lines", .list(of: .group(RankingLine.fields), maximum: 10))
    private static let wait = Field(4, "waitMinutes", "First free in (min)", .integer(0...1_000_000))
    private static let booked = Field(5, "bookedMinutes", "Booked (min)", .integer(0...10_000))

    static let fields = [specialist, points, lines, wait, booked]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.specialist] = .id(specialist)
        values[Self.points] = points.fieldValue
        values[Self.lines] = .list(lines.map { .group($0.values) })
        values[Self.wait] = waitMinutes.fieldValue
        values[Self.booked] = bookedMinutes.fieldValue
        return values
    }

    init?(values: FieldValues) {
        guard let specialist = UUID(fieldValue: values[Self.specialist]) else { return nil }
        self.init(
            specialist: specialist,
            lines: values.groups(Self.lines).compactMap(RankingLine.init),
            waitMinutes: Int(fieldValue: values[Self.wait]) ?? 0,
            bookedMinutes: Int(fieldValue: values[Self.booked]) ?? 0
        )
    }
}

extension RankingLine {
    private static let code = Field(1, "code", "Criterion", .choice(Code.allCases.map(\.rawValue)), isRequired: true)
    private static let points = Field(2, "points", "Points", .integer(0...100))
    private static let of = Field(3, "of", "Of", .integer(0...100))
    private static let because = Field(4, "because", "Because", .text(maximum: Limits.line))

    static let fields = [code, points, of, because]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.code] = .text(code.rawValue)
        values[Self.points] = points.fieldValue
        values[Self.of] = of.fieldValue
        values[Self.because] = .text(because)
        return values
    }

    init?(values: FieldValues) {
        guard let code = values.text(Self.code).flatMap(Code.init(rawValue:)) else { return nil }
        self.init(code, Int(fieldValue: values[Self.points]) ?? 0, because: values.text(Self.because) ?? "")
    }
}

extension SpecialistRanking.LeftOut {
    private static let specialist = Field(1, "specialist", "Specialist", .id, isRequired: true)
    private static let reasons = Field(
        2,
        "reasons",
        "Reasons",
        .list(of: .choice(SpecialistRanking.Reason.allCases.map(\.rawValue)), maximum: 10)
    )

    static let fields = [specialist, reasons]

    var values: FieldValues {
        var values = FieldValues()
        values[Self.specialist] = .id(specialist)
        values[Self.reasons] = .list(reasons.map { .text($0.rawValue) })
        return values
    }

    init?(values: FieldValues) {
        guard let specialist = UUID(fieldValue: values[Self.specialist]) else { return nil }
        let reasons = values.texts(Self.reasons).compactMap(SpecialistRanking.Reason.init(rawValue:))
        self.init(specialist: specialist, reasons: reasons)
    }
}
