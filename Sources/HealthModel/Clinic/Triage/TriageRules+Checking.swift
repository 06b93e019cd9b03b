/// The checks of a rule set that a practice wrote itself, before it can be adopted.
extension TriageRules {
    package static let maximumSigns = 500
    package static let maximumRows = 200

    /// Throws an error that names the first part of the set that is invalid.
    package func validate() throws(ModelError) {
        try checkWord(name, "name")
        try checkWord(version, "version")
        try checkSigns()
        try checkThresholds()
        guard examination.count <= TriageRules.maximumRows,
            Set(examination.map { [$0.part.rawValue, $0.result.rawValue] }).count == examination.count
        else { throw ModelError(.invalid, field: "examination", "each result of a part once") }
        guard limits.count <= TriageRules.maximumRows else {
            throw ModelError(.invalid, field: "limits", "at most \(TriageRules.maximumRows) rows")
        }
        for (index, row) in limits.enumerated() {
            try row.heartRate.check("limits[\(index)].heartRate")
            try row.respiratoryRate.check("limits[\(index)].respiratoryRate")
            try row.temperature.check("limits[\(index)].temperature")
        }
        try complexityWeights.check()
    }

    /// Names and versions are words, so that a label such as `hj-triage/1` has one reading.
    private func checkWord(_ text: String, _ field: String) throws(ModelError) {
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._".utf8)
        guard (1...50).contains(text.utf8.count), text.utf8.allSatisfy(allowed.contains) else {
            throw ModelError(.invalid, field: field, "1 to 50 ASCII letters, digits, -, . and _")
        }
    }

    private func checkSigns() throws(ModelError) {
        guard signs.count <= TriageRules.maximumSigns, signs.allSatisfy(\.sign.isWellFormed),
            Set(signs.map(\.sign)).count == signs.count
        else {
            throw ModelError(
                .invalid,
                field: "signs",
                "at most \(TriageRules.maximumSigns) codes of ASCII letters and digits, each once"
            )
        }
        guard signs.contains(where: { $0.sign == .immediate && $0.level == .red }) else {
            throw ModelError(.invalid, field: "signs", "the sign immediate must be there, and red")
        }
    }

    private func checkThresholds() throws(ModelError) {
        guard thresholds.count <= TriageRules.maximumRows else {
            throw ModelError(.invalid, field: "thresholds", "at most \(TriageRules.maximumRows) thresholds")
        }
        for (index, rule) in thresholds.enumerated() where !rule.isMeaningful {
            throw ModelError(.invalid, field: "thresholds[\(index)]", "a vital sign has no such value")
        }
    }
}

extension ThresholdRule {
    /// Whether the vital sign can have a value of the kind that the condition asks for.
    fileprivate var isMeaningful: Bool {
        switch (input, condition) {
        case (.consciousness, .word(let word)): VitalSigns.Consciousness(rawValue: word) != nil
        case (.mucousMembrane, .word(let word)): VitalSigns.MucousMembrane(rawValue: word) != nil
        case (.consciousness, _), (.mucousMembrane, _), (_, .word): false
        default: VitalSigns.items.contains(input)
        }
    }
}

extension VitalLimits {
    /// Throws an error unless each span is within the next outer one.
    fileprivate func check(_ field: String) throws(ModelError) {
        let spans = [usual] + [orangeBeyond, redBeyond].compactMap(\.self)
        for span in spans {
            guard let lowest = span.lowest, let highest = span.highest, lowest > highest else { continue }
            throw ModelError(.invalid, field: field, "a lowest value is above the highest")
        }
        let (lowest, highest) = (spans.compactMap(\.lowest), spans.compactMap(\.highest))
        guard lowest == lowest.sorted(by: >), highest == highest.sorted() else {
            throw ModelError(.invalid, field: field, "each limit must be within the next outer one")
        }
    }
}

extension ComplexityWeights {
    fileprivate func check() throws(ModelError) {
        let weights =
            Array(base.values) + Array(species.values) + ages.map(\.hundredths)
            + [unknownSpecies, illness, allergy, surgery, surgeryDays, drug, drugsFree, historyMaximum]
        guard ages.count <= TriageRules.maximumRows, weights.allSatisfy({ (0...10_000).contains($0) }) else {
            throw ModelError(.invalid, field: "complexity", "a weight must be between 0 and 10000 hundredths")
        }
        guard maximum <= CaseComplexity.maximumTenths * 10 else {
            throw ModelError(.invalid, field: "complexity", "the greatest sum must be at most 10.0 points")
        }
    }
}
