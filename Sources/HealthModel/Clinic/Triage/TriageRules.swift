/// A set of rules for triage, as data: the signs, the thresholds, the limits by species and the weights of complexity.
///
/// Triage supports a professional and replaces none. No veterinarian has reviewed the built-in table of limits, signs
/// and weights. A practice uses a set only after one of its own veterinarians has adopted it by name.
///
/// An assessment keeps the name, the version and a digest of its set. For that reason a version is never changed, and
/// built-in versions are never removed.
package struct TriageRules: Hashable, Sendable {
    package var name: String
    package var version: String
    package var signs: [SignRule]
    package var examination: [ExaminationRule]
    package var thresholds: [ThresholdRule]
    /// The limits by species; the first row that applies to a patient counts.
    package var limits: [SpeciesLimits]
    /// The level at which a patient is at least, if A, B, C or D was not assessed.
    package var notAssessedLevel: UrgencyLevel
    package var complexityWeights: ComplexityWeights

    package init(
        name: String,
        version: String,
        signs: [SignRule],
        examination: [ExaminationRule],
        thresholds: [ThresholdRule],
        limits: [SpeciesLimits],
        notAssessedLevel: UrgencyLevel,
        complexityWeights: ComplexityWeights
    ) {
        self.name = name
        self.version = version
        self.signs = signs
        self.examination = examination
        self.thresholds = thresholds
        self.limits = limits
        self.notAssessedLevel = notAssessedLevel
        self.complexityWeights = complexityWeights
    }
}

extension TriageRules {
    /// The sentences that every page, print and export of triage shows.
    package static let notice = """
        Triage supports a professional and replaces none. \
        No veterinarian has reviewed the built-in table of limits, signs and weights.
        """

    /// The name and the version, such as `hj-triage/1`.
    package var label: String { "\(name)/\(version)" }

    /// Every rule set that was ever part of this program.
    package static let builtIn = [version1]

    /// Returns a built-in rule set; nil if there is none of that name and version.
    package static func builtIn(name: String, version: String) -> TriageRules? {
        builtIn.first { $0.name == name && $0.version == version }
    }

    /// Returns the level of a sign; nil if the set does not have it.
    ///
    /// `immediate` is red in every set.
    package func level(of sign: TriageSign) -> UrgencyLevel? {
        sign == .immediate ? .red : signs.first { $0.sign == sign }?.level
    }
}

/// How urgent a sign is.
package struct SignRule: Hashable, Sendable {
    package var sign: TriageSign
    package var level: UrgencyLevel
    /// The part of the ABCDE examination that cannot be normal with this sign; nil if there is none.
    package var part: ABCDE.Part?

    package init(_ sign: TriageSign, _ level: UrgencyLevel, _ part: ABCDE.Part? = nil) {
        self.sign = sign
        self.level = level
        self.part = part
    }
}

/// How urgent a result of a part of the ABCDE examination is.
package struct ExaminationRule: Hashable, Sendable {
    package var part: ABCDE.Part
    package var result: AssessmentResult
    package var level: UrgencyLevel

    package init(_ part: ABCDE.Part, _ result: AssessmentResult, _ level: UrgencyLevel) {
        self.part = part
        self.result = result
        self.level = level
    }
}

/// How urgent a vital sign is that meets a condition, whatever the species.
package struct ThresholdRule: Hashable, Sendable {
    package var input: TriageItem
    package var condition: Condition
    package var level: UrgencyLevel

    package enum Condition: Hashable, Sendable {
        case word(String)
        case below(ExactDecimal)
        case above(ExactDecimal)
        case atLeast(ExactDecimal)
    }

    package init(_ input: TriageItem, _ condition: Condition, _ level: UrgencyLevel) {
        self.input = input
        self.condition = condition
        self.level = level
    }
}

extension ThresholdRule.Condition {
    /// Whether a vital sign meets the condition.
    func isMet(by value: VitalSigns.Value) -> Bool {
        switch (self, value) {
        case (.word(let word), .word(let value)): value == word
        case (.below(let limit), .number(let value)): value < limit
        case (.above(let limit), .number(let value)): value > limit
        case (.atLeast(let limit), .number(let value)): value >= limit
        case (.word, .number), (.below, .word), (.above, .word), (.atLeast, .word): false
        }
    }

    /// The limit as a reason shows it, such as `< 90`; nil for a word.
    var limitText: String? {
        switch self {
        case .word: nil
        case .below(let limit): "< \(limit.withoutTrailingZeros)"
        case .above(let limit): "> \(limit.withoutTrailingZeros)"
        case .atLeast(let limit): ">= \(limit.withoutTrailingZeros)"
        }
    }
}
