/// The rules R1 to R6, applied to an input.
extension TriageRules {
    /// Returns the level of a patient with every reason for it.
    ///
    /// The level is the smallest that a rule gives: not being assessed is not the same as being normal. A missing value
    /// fires no rule. Of several limits of one vital sign that a value is beyond, the most urgent one counts.
    package func assess(_ input: TriageInput) -> TriageResult {
        let signs = Set(input.signs)
        var reasons = reasons(from: signs) + reasons(from: input.abcde) + reasons(from: input.vitals)
        reasons += limitReasons(input)
        if reasons.isEmpty { reasons = reasonsWithoutFinding(input, signs) }
        reasons += ABCDE.vitalParts.filter { input.abcde[$0] == .notAssessed }
            .map { part in
                TriageReason(
                    .notAssessed,
                    TriageItem(part),
                    value: AssessmentResult.notAssessed.rawValue,
                    level: notAssessedLevel
                )
            }
        return TriageResult(
            level: reasons.map(\.level).min() ?? .green,
            reasons: reasons.sorted(),
            contradictions: contradictions(signs, input.abcde),
            missing: missing(in: input),
            unknownSigns: signs.filter { level(of: $0) == nil }.sorted()
        )
    }

    // MARK: - R1 and R2

    private func reasons(from signs: Set<TriageSign>) -> [TriageReason] {
        signs.compactMap { sign in
            guard let level = level(of: sign), level != .blue else { return nil }
            return TriageReason(.sign, .sign, value: sign.code, level: level)
        }
    }

    private func reasons(from abcde: ABCDE) -> [TriageReason] {
        ABCDE.Part.allCases.compactMap { part in
            level(of: part, abcde[part])
                .map { TriageReason(.examination, TriageItem(part), value: abcde[part].rawValue, level: $0) }
        }
    }

    private func level(of part: ABCDE.Part, _ result: AssessmentResult) -> UrgencyLevel? {
        examination.filter { $0.part == part && $0.result == result }.map(\.level).min()
    }

    /// Returns the signs that say more than the examination: a part is normal, or only compromised with a red sign.
    private func contradictions(_ signs: Set<TriageSign>, _ abcde: ABCDE) -> [TriageContradiction] {
        signs.sorted()
            .compactMap { sign in
                guard let rule = self.signs.first(where: { $0.sign == sign }), let part = rule.part else { return nil }
                let result = abcde[part]
                guard result == .normal || (result == .compromised && rule.level == .red) else { return nil }
                let level = min(rule.level, self.level(of: part, result) ?? rule.level)
                return TriageContradiction(sign, part, result, level: level)
            }
    }

    // MARK: - R3 and R4

    private func reasons(from vitals: VitalSigns) -> [TriageReason] {
        VitalSigns.items.compactMap { item in
            guard let value = vitals.value(of: item),
                let rule = thresholds.filter({ $0.input == item && $0.condition.isMet(by: value) })
                    .min(by: { ($0.level, $0.condition.limitText ?? "") < ($1.level, $1.condition.limitText ?? "") })
            else { return nil }
            return TriageReason(
                .threshold,
                item,
                value: value.text,
                limit: rule.condition.limitText,
                level: rule.level
            )
        }
    }

    private func limitReasons(_ input: TriageInput) -> [TriageReason] {
        guard let limits = limits(for: input) else { return [] }
        let pants = limits.pantingLiftsUpperLimit && input.vitals.isPanting == true
        return [TriageItem.heartRate, .respiratoryRate, .temperature]
            .compactMap { item in
                guard case .number(let value)? = input.vitals.value(of: item),
                    let exceeded = limits[item]?
                        .exceeded(by: value, upperIsLifted: item == .respiratoryRate && pants)
                else { return nil }
                return TriageReason(
                    .speciesLimit,
                    item,
                    value: value.description,
                    limit: exceeded.limit,
                    level: exceeded.level
                )
            }
    }

    /// Returns the first row that applies to a patient; nil for a species without limits.
    private func limits(for input: TriageInput) -> SpeciesLimits? {
        limits.first { $0.matches(input.patient) && $0.matches(weight: input.weight) }
    }

    // MARK: - R5

    /// Returns the reasons of a patient about whom no other rule says anything: blue or green.
    private func reasonsWithoutFinding(_ input: TriageInput, _ signs: Set<TriageSign>) -> [TriageReason] {
        let isBlue =
            !signs.isEmpty && signs.allSatisfy { level(of: $0) == .blue } && input.abcde.isNormal
            && isUsual(.heartRate, input) && isUsual(.respiratoryRate, input)
        guard isBlue else { return [TriageReason(.nothingFound, level: .green)] }
        return signs.map { TriageReason(.nothingFound, .sign, value: $0.code, level: .blue) }
    }

    /// Whether a vital sign was measured and is within the usual range of the species.
    private func isUsual(_ item: TriageItem, _ input: TriageInput) -> Bool {
        guard case .number(let value)? = input.vitals.value(of: item) else { return false }
        return limits(for: input)?[item]?.usual.contains(value) ?? false
    }

    // MARK: - Missing items

    private func missing(in input: TriageInput) -> [TriageItem] {
        var missing = ABCDE.Part.allCases.filter { input.abcde[$0] == .notAssessed }.map { TriageItem($0) }
        missing += VitalSigns.items.filter { input.vitals.value(of: $0) == nil }
        let patient = input.patient
        if patient.species == nil { missing.append(.species) }
        if patient.age == nil { missing.append(.age) }
        // The first row for the species and the age; if it has a limit of weight, the row that applies depends on that.
        let isWeightUsed = limits.first { $0.matches(patient) }?.lighterThan != nil
        if input.weight == nil, isWeightUsed { missing.append(.weight) }
        let row = limits(for: input)
        if patient.species != nil, row == nil { missing.append(.speciesLimits) }
        let isPantingUsed = row?.pantingLiftsUpperLimit == true && input.vitals.respiratoryRate != nil
        if isPantingUsed, input.vitals.isPanting == nil { missing.append(.panting) }
        return missing.sorted()
    }
}

extension SpeciesLimits {
    /// The limits of a vital sign; nil if the row has none for it.
    fileprivate subscript(item: TriageItem) -> VitalLimits? {
        switch item {
        case .heartRate: heartRate
        case .respiratoryRate: respiratoryRate
        case .temperature: temperature
        default: nil
        }
    }
}
