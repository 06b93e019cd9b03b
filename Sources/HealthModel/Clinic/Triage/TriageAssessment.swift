/// One assessment of a patient: everything that it was computed from, and what came of it.
///
/// It is stored as a whole, so that the same result can be computed again at any time.
package struct TriageAssessment: ClinicProfile {
    package var values: FieldValues

    /// The name and the version of the rule set, such as `hj-triage/1`.
    static let rules = Field(1, "rules", "Rules", .text(maximum: Limits.line), isRequired: true)
    /// The SHA-256 of the text of the rule set.
    static let digest = Field(2, "digest", "Digest of the rules", .text(maximum: 64), isRequired: true, format: .digest)
    /// The log position of the state of the record that was read.
    static let position = Field(3, "recordPosition", "Record as of", .integer(0...Int64.max))
    static let findings = Field(4, "findings", "Findings", .group(TriageFindings.fields))
    static let patient = Field(5, "patient", "Patient", .group(PatientFacts.fields))
    package static let level = Field(6, "level", "Level", .integer(1...5), isRequired: true)
    static let reasons = Field(7, "reasons", "Reasons", .list(of: .group(TriageReason.fields), maximum: 500))
    static let contradictions = Field(
        8,
        "contradictions",
        "Contradictions",
        .list(of: .group(TriageContradiction.fields), maximum: 500)
    )
    static let missing = Field(9, "missing", "Not known", .list(of: .text(maximum: 50), maximum: 100))
    static let unknownSigns = Field(10, "unknownSigns", "Unknown signs", .list(of: .text(maximum: 50), maximum: 100))
    static let complexity = Field(11, "complexity", "Complexity", .group(CaseComplexity.fields))
    static let ranking = Field(
        12,
        "ranking",
        "Specialists",
        .list(of: .group(RankedSpecialist.fields), maximum: SpecialistRanking.maximumKept)
    )
    static let leftOut = Field(
        13,
        "leftOut",
        "Specialists left out",
        .list(of: .group(SpecialistRanking.LeftOut.fields), maximum: 500)
    )

    package static let fields = [
        rules, digest, position, findings, patient, level, reasons, contradictions, missing, unknownSigns, complexity,
        ranking, leftOut,
    ]

    package init(values: FieldValues) { self.values = values }

    /// Assesses a patient with a rule set.
    package init(
        _ findings: TriageFindings,
        of patient: PatientFacts,
        asOf position: UInt64,
        by rules: TriageRules,
        digest: String
    ) {
        self.init(values: FieldValues())
        values[Self.rules] = .text(rules.label)
        values[Self.digest] = .text(digest)
        values[Self.position] = position.fieldValue
        values[Self.findings] = .group(findings.values)
        values[Self.patient] = .group(patient.values)
        let result = rules.assess(findings.input(of: patient))
        values[Self.level] = .integer(Int64(result.level.rawValue))
        values[Self.reasons] = .list(result.reasons.map { .group($0.values) })
        values[Self.contradictions] = .list(result.contradictions.map { .group($0.values) })
        values[Self.missing] = .list(result.missing.map { .text($0.rawValue) })
        values[Self.unknownSigns] = .list(result.unknownSigns.map { .text($0.code) })
        values[Self.complexity] = .group(rules.complexity(of: patient, at: result.level).values)
    }
}

extension TriageAssessment {
    /// Creates an assessment that another program made: with the level that it states, and no reasons.
    ///
    /// `digest` is the SHA-256 of the assessment as that program wrote it.
    package init(_ findings: TriageFindings, level: UrgencyLevel, from program: String, digest: String) {
        self.init(values: FieldValues())
        values[Self.rules] = .text(program)
        values[Self.digest] = .text(digest)
        values[Self.findings] = .group(findings.values)
        values[Self.level] = .integer(Int64(level.rawValue))
    }
}

extension TriageAssessment {
    package var level: UrgencyLevel {
        values.integer(Self.level).flatMap { UrgencyLevel(rawValue: Int(clamping: $0)) } ?? .yellow
    }

    /// The name and the version of the rule set.
    package var rulesLabel: String { values.text(Self.rules) ?? "" }
    package var rulesDigest: String { values.text(Self.digest) ?? "" }
    package var recordPosition: UInt64 { UInt64(fieldValue: values[Self.position]) ?? 0 }
    package var findings: TriageFindings { TriageFindings(values: values.group(Self.findings) ?? FieldValues()) }
    package var patient: PatientFacts? { PatientFacts(values: values.group(Self.patient) ?? FieldValues()) }
    package var reasons: [TriageReason] { values.groups(Self.reasons).compactMap(TriageReason.init) }
    package var contradictions: [TriageContradiction] {
        values.groups(Self.contradictions).compactMap(TriageContradiction.init)
    }
    package var missing: [TriageItem] { values.texts(Self.missing).compactMap(TriageItem.init(rawValue:)) }
    package var complexity: CaseComplexity { CaseComplexity(values: values.group(Self.complexity) ?? FieldValues()) }

    package var ranking: SpecialistRanking {
        get {
            SpecialistRanking(
                ranked: values.groups(Self.ranking).compactMap(RankedSpecialist.init),
                leftOut: values.groups(Self.leftOut).compactMap(SpecialistRanking.LeftOut.init)
            )
        }
        set {
            let kept = newValue.ranked.prefix(SpecialistRanking.maximumKept)
            values[Self.ranking] = .list(kept.map { .group($0.values) })
            values[Self.leftOut] = .list(newValue.leftOut.map { .group($0.values) })
        }
    }

    /// Computes the assessment again from its own inputs; the ranking is kept, because it depends on the calendar of then.
    package func computedAgain(by rules: TriageRules, digest: String) -> TriageAssessment? {
        guard let patient else { return nil }
        var again = TriageAssessment(findings, of: patient, asOf: recordPosition, by: rules, digest: digest)
        again.values[Self.ranking] = values[Self.ranking]
        again.values[Self.leftOut] = values[Self.leftOut]
        return again
    }
}
