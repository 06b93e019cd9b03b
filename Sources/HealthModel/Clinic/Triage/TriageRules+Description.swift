/// The text of a rule set from which its digest is computed: one fact a line, each at a fixed place.
extension TriageRules {
    /// The rules as lines of text; two sets with the same lines give the same results.
    ///
    /// The order of signs, of results and of thresholds has no effect, so the lines are sorted. The order of the rows of
    /// limits has an effect and is kept.
    package var lines: [String] {
        ["triage rules \(label)", "not assessed \(notAssessedLevel.rawValue)"]
            + signs.sorted { $0.sign < $1.sign }.map(\.line)
            + examination.map(\.line).sorted()
            + thresholds.map(\.line).sorted()
            + limits.enumerated().flatMap { number, row in row.lines.map { "limits \(number + 1) \($0)" } }
            + complexityWeights.lines.map { "complexity \($0)" }
    }

    /// The lines, each with a line feed at its end.
    package var text: String { lines.map { $0 + "\n" }.joined() }
}

extension SignRule {
    fileprivate var line: String { "sign \(sign.code) \(level.rawValue) \(part?.rawValue ?? "-")" }
}

extension ExaminationRule {
    fileprivate var line: String { "examination \(part.rawValue) \(result.rawValue) \(level.rawValue)" }
}

extension ThresholdRule {
    fileprivate var line: String { "threshold \(input.rawValue) \(condition.line) \(level.rawValue)" }
}

extension ThresholdRule.Condition {
    fileprivate var line: String {
        switch self {
        case .word(let word): "is \(word)"
        case .below(let limit): "below \(limit.withoutTrailingZeros)"
        case .above(let limit): "above \(limit.withoutTrailingZeros)"
        case .atLeast(let limit): "at least \(limit.withoutTrailingZeros)"
        }
    }
}

extension SpeciesLimits {
    fileprivate var lines: [String] {
        var group = "species \(species.rawValue)"
        if let youngerThan { group += " younger than \(youngerThan)" }
        if let lighterThan { group += " lighter than \(lighterThan.withoutTrailingZeros) kg" }
        if pantingLiftsUpperLimit { group += " panting lifts the upper limit" }
        return [
            group, "heartRate \(heartRate.line)", "respiratoryRate \(respiratoryRate.line)",
            "temperature \(temperature.line)",
        ]
    }
}

extension VitalLimits {
    fileprivate var line: String {
        "usual \(usual.line) orange beyond \(orangeBeyond?.line ?? "-") red beyond \(redBeyond?.line ?? "-")"
    }
}

extension LimitSpan {
    fileprivate var line: String {
        let (lowest, highest) = (lowest?.withoutTrailingZeros.description, highest?.withoutTrailingZeros.description)
        return "\(lowest ?? "")..\(highest ?? "")"
    }
}

extension ComplexityWeights {
    fileprivate var lines: [String] {
        UrgencyLevel.allCases.map { "base \($0.rawValue) \(base[$0] ?? 0)" }
            + SpeciesCode.allCases.map { "species \($0.rawValue) \(species[$0] ?? 0)" }
            + ["species unknown \(unknownSpecies)"]
            + ages.map(\.line).sorted()
            + [
                "illness \(illness)", "allergy \(allergy)", "surgery \(surgery) within \(surgeryDays) days",
                "drug \(drug) beyond \(drugsFree)", "history at most \(historyMaximum)",
            ]
    }
}

extension AgeWeight {
    fileprivate var line: String {
        var line = "age \(species?.rawValue ?? "any")"
        if let from { line += " from \(from)" }
        if let below { line += " below \(below)" }
        return "\(line) \(hundredths)"
    }
}
