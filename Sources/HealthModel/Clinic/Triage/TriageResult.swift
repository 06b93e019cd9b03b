/// What a rule set makes of an input: a level, with every reason for it.
package struct TriageResult: Hashable, Sendable {
    package var level: UrgencyLevel
    /// Every rule that fired, the most urgent first; never empty.
    package var reasons: [TriageReason]
    /// Where a sign and the ABCDE examination disagree.
    package var contradictions: [TriageContradiction]
    /// The inputs that were not given, so that no rule could use them.
    package var missing: [TriageItem]
    /// The signs that the rule set does not have, so that no rule could use them.
    package var unknownSigns: [TriageSign]

    package init(
        level: UrgencyLevel,
        reasons: [TriageReason],
        contradictions: [TriageContradiction] = [],
        missing: [TriageItem] = [],
        unknownSigns: [TriageSign] = []
    ) {
        self.level = level
        self.reasons = reasons
        self.contradictions = contradictions
        self.missing = missing
        self.unknownSigns = unknownSigns
    }
}

/// One rule that fired for one input.
package struct TriageReason: Hashable, Sendable {
    /// The rules of triage; the raw values are stored.
    package enum Rule: String, CaseIterable, Hashable, Sendable {
        /// A sign of the levels 1 to 4.
        case sign = "R1"
        /// A part of the ABCDE examination that is not normal.
        case examination = "R2"
        /// A vital sign beyond a threshold that all species have in common.
        case threshold = "R3"
        /// The heart rate, the respiratory rate or the temperature beyond the limits of the species.
        case speciesLimit = "R4"
        /// No rule above fired.
        case nothingFound = "R5"
        /// A, B, C or D was not assessed.
        case notAssessed = "R6"
    }

    package var rule: Rule
    /// Nil if the rule is about the lack of any finding.
    package var input: TriageItem?
    /// The value of the input as it was given, such as `45` or `critical`.
    package var value: String?
    /// The limit that the value is beyond, such as `< 50`; nil for a word.
    package var limit: String?
    /// The level that follows from the rule alone.
    package var level: UrgencyLevel

    package init(
        _ rule: Rule,
        _ input: TriageItem? = nil,
        value: String? = nil,
        limit: String? = nil,
        level: UrgencyLevel
    ) {
        self.rule = rule
        self.input = input
        self.value = value
        self.limit = limit
        self.level = level
    }
}

extension TriageReason: Comparable {
    /// Orders reasons by level, rule, input, value and limit.
    package static func < (left: TriageReason, right: TriageReason) -> Bool {
        if left.level != right.level { return left.level < right.level }
        if left.rule != right.rule { return left.rule.rawValue < right.rule.rawValue }
        if left.input != right.input { return (left.input ?? .sign) < (right.input ?? .sign) }
        return (left.value ?? "", left.limit ?? "") < (right.value ?? "", right.limit ?? "")
    }
}

/// A sign that says that a part of the ABCDE examination is worse than its result; the more urgent of the two counts.
package struct TriageContradiction: Hashable, Sendable {
    package var sign: TriageSign
    package var part: ABCDE.Part
    package var result: AssessmentResult
    /// The level that counts.
    package var level: UrgencyLevel

    package init(_ sign: TriageSign, _ part: ABCDE.Part, _ result: AssessmentResult, level: UrgencyLevel) {
        self.sign = sign
        self.part = part
        self.result = result
        self.level = level
    }
}
