internal import FoundationEssentials
package import HealthModel

/// The form of a plan: what a person takes, and when.
package struct PlanForm: Sendable {
    let reader: Reader
    /// The clock of the person who takes it, by which times are typed; that of the reader where no times are read.
    let clock: PersonClock?

    package init(_ reader: Reader, _ clock: PersonClock? = nil) {
        (self.reader, self.clock) = (reader, clock)
    }

    /// The patterns that the form offers, in this order.
    enum Pattern: String, CaseIterable {
        case daily, days, weekdays, monthDays, cycle, interval, afterLast, once, asNeeded, taper

        init(_ typed: [String: String]) { self = Pattern(rawValue: typed["pattern"] ?? "") ?? .daily }

        /// All fields of the schedule with the pattern, except its times of day.
        var fieldNames: [String] { fields.filter { $0 != PlanForm.times } + ["pattern", "instructions", "withMeal"] }

        /// The fields that describe the pattern.
        fileprivate var fields: [String] {
            switch self {
            case .daily: ["times"]
            case .days: ["everyDays", "times"]
            case .weekdays: ["weekdays", "times"]
            case .monthDays: ["monthDays", "times"]
            case .cycle: ["cycle", "times"]
            case .interval, .afterLast: ["everyHours", "start", "amount"]
            case .once: ["start", "amount"]
            case .asNeeded: ["amount"]
            case .taper: ["steps", "strength", "times"]
            }
        }

        /// Whether the pattern is only complete with its start.
        fileprivate var needsStart: Bool { fields.contains("start") }
        /// Whether doses are due at times of day, each with an amount of its own.
        var hasTimes: Bool { fields.contains(PlanForm.times) && self != .taper }
        /// Whether the pattern ends by itself.
        var endsItself: Bool { self == .once || self == .taper }
    }

    // MARK: - Fields

    /// Returns the fields of a new plan: those of the product, of the chosen pattern, and of the limits and the stock.
    package func fields(_ typed: [String: String], problems: [String: String] = [:]) -> [FormField] {
        let pattern = Pattern(typed)
        return product(typed, problems) + schedule(typed, problems, Pattern.allCases)
            + named(
                (pattern.needsStart ? [] : ["start"]) + (pattern.endsItself ? [] : ["until"]) + [
                    "gap", "most", "stock",
                ],
                typed,
                problems
            )
    }

    /// Returns the fields of a change of a plan; `rules` apply at that time, and others follow them if `hasMore`.
    package func changeFields(
        _ typed: [String: String],
        replacing rules: [PlanRule],
        hasMore: Bool,
        unit: String?,
        strength: PlanStrength? = nil,
        problems: [String: String] = [:]
    ) -> [FormField] {
        var effective = field("effective", typed, problems)
        effective.isRequired = true
        var replaced = field("replaces", typed, problems)
        var options = rules.map {
            FormOption(
                $0.id.text,
                reader.rule($0, stopped: nil, unit: unit, strength: strength),
                isChosen: typed["replaces"] == $0.id.text
            )
        }
        if rules.count > 1 || hasMore {
            let isAll = typed["replaces"] == PlanForm.all
            options.append(FormOption(PlanForm.all, reader.words["replacesAll"], isChosen: isAll))
        }
        let isNone = typed["replaces"] == PlanForm.none
        options.append(FormOption(PlanForm.none, reader.words["replacesNone"], isChosen: isNone))
        replaced.options = options
        if rules.count > 1 { replaced.step = reader.words["showRule"] }
        return [effective] + (rules.isEmpty && !hasMore ? [] : [replaced])
            + schedule(
                typed.merging(["unit": unit ?? ""]) { $1 },
                problems,
                Pattern.allCases
            )
            + (Pattern(typed).endsItself ? [] : named(["until"], typed, problems))
    }

    /// The value of the field `replaces` if the change replaces all rules.
    package static let all = "all"
    /// The value of the field `replaces` if the change adds a rule.
    package static let none = "none"

    /// Returns which rules a change replaces, as it was chosen; nil if nothing was chosen.
    package static func replacement(_ typed: [String: String]) -> EntryContent.Replacement? {
        switch typed["replaces"] {
        case all: .all
        case none: .nothing
        case let rule: rule.flatMap(UUID.init(uuidString:)).map { .rule($0) }
        }
    }

    /// Returns the fields that correct what a plan always was.
    package func correctionFields(_ typed: [String: String], problems: [String: String] = [:]) -> [FormField] {
        product(typed, problems) + schedule(typed, problems, Pattern.allCases.filter { $0 != .taper })
    }

    private func product(_ typed: [String: String], _ problems: [String: String]) -> [FormField] {
        var fields = named(PlanForm.product.map(\.name), typed, problems)
        fields[0].isRequired = true
        return fields
    }

    /// The fields of the entry that the form has under their own names.
    static let product = [Drug.name, Drug.dosage, PlanFields.unit, PlanFields.indication, PlanFields.prescribedBy]

    private func schedule(
        _ typed: [String: String],
        _ problems: [String: String],
        _ patterns: [Pattern]
    ) -> [FormField] {
        let chosen = Pattern(typed)
        var pattern = field("pattern", typed, problems)
        pattern.isRequired = true
        pattern.step = reader.words["showFields"]
        pattern.options = patterns.map {
            FormOption($0.rawValue, reader.words["pattern.\($0.rawValue)"], isChosen: $0 == chosen)
        }
        return [pattern] + named(chosen.fields + ["instructions", "withMeal"], typed, problems)
    }

    private func named(
        _ names: [String],
        _ typed: [String: String],
        _ problems: [String: String]
    ) -> [FormField] {
        names.flatMap { name -> [FormField] in
            guard name == PlanForm.times else { return [field(name, typed, problems)] }
            return Pattern(typed) == .taper ? [time(typed, problems)] : times(typed, problems)
        }
    }

    /// The fields that are shown on request.
    private static let later: Set = ["indication", "prescribedBy", "gap", "most"]

    private func field(_ name: String, _ typed: [String: String], _ problems: [String: String]) -> FormField {
        let input: FormField.Input =
            switch name {
            case "pattern", "weekdays", "replaces": .choice
            case "everyDays", "everyHours", "gap", "most", "stock": .number
            case "start", "effective": .moment
            case "until": .day
            case "withMeal": .flag
            default: .line
            }
        var field = FormField(
            name,
            reader.words["plan.\(name)"],
            input,
            value: typed[name] ?? "",
            problem: problems[name]
        )
        field.hint = reader.words.texts["hint.plan.\(name)"]
        field.isMore = PlanForm.later.contains(name)
        // The amount stays when a pattern with times of day is replaced by one without.
        if name == "amount", typed[name] == nil { field.value = typed[PlanForm.name(0, "amount")] ?? "" }
        if name == "weekdays" {
            let chosen = Set((typed[name] ?? "").split(separator: ",").map(String.init))
            field.takesSeveral = true
            field.options = Weekday.allCases.map {
                FormOption(
                    $0.name,
                    reader.words["weekday.\($0.rawValue)"].sentenceCased,
                    isChosen: chosen.contains($0.name)
                )
            }
        }
        return field
    }
}
