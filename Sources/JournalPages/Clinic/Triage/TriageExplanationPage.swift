package import FoundationEssentials
package import HealthModel

/// An assessment computed again from its own inputs, with its own rule set or with another one.
package struct TriageExplanationPage: WebPage {
    package static let template = Template("triage-explanation")

    package let back: String
    package let isSame: Bool
    /// Whether the rule set is the one that was used then.
    package let isOwnRules: Bool
    package let then: Side
    package let now: Side

    /// The result of one computation.
    package struct Side: Sendable {
        package let rules: String
        package let digest: String
        package let badge: LevelBadge
        package let reasons: [ShownAssessment.Reason]
        package let contradictions: [String]

        init(_ assessment: TriageAssessment, _ words: Words) {
            rules = assessment.rulesLabel
            digest = assessment.rulesDigest
            badge = LevelBadge(assessment.level, words)
            reasons = assessment.reasons.map { ShownAssessment.Reason($0, words) }
            contradictions = assessment.contradictions.map { words.sentence(recognizing: $0.sentence) }
        }
    }

    package init(_ triage: UUID, assessed: TriageAssessment, computed: TriageAssessment, _ words: Words) {
        back = "/triage/\(triage.text)"
        isSame = assessed == computed
        isOwnRules = assessed.rulesLabel == computed.rulesLabel && assessed.rulesDigest == computed.rulesDigest
        then = Side(assessed, words)
        now = Side(computed, words)
    }
}
