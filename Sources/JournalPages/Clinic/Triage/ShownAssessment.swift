internal import FoundationEssentials
package import HealthModel
package import Interchange

/// Everything that an assessment was computed from, and what came of it, in words.
package struct ShownAssessment: Sendable {
    package let rules: String
    package let digest: String
    package let readAt: String
    package let reasons: [Reason]
    package let contradictions: [String]
    package let hasContradictions: Bool
    package let missing: [String]
    package let hasMissing: Bool
    package let findings: [LabelledText]
    package let hasFindings: Bool
    package let complexity: [LabelledText]
    package let complexityOverall: String
    package let counted: String
    package let ranked: [Specialist]
    package let hasRanked: Bool
    package let leftOut: [LabelledText]
    package let hasLeftOut: Bool
    /// The page that computes the assessment again, and the rule sets that it can use.
    package let explainAddress: String
    package let ruleSets: [FormOption]

    /// One reason, with the level that follows from it alone.
    package struct Reason: Sendable {
        package let badge: LevelBadge
        package let text: String

        init(_ reason: TriageReason, _ words: Words) {
            badge = LevelBadge(reason.level, words)
            let input = words.label(reason.input?.label ?? "").sentenceCased
            let value = words.label(TriageWords.plain(reason.value ?? ""))
            text =
                switch reason.rule {
                case .sign: words["signReason", FindingsForm.sign(reason.value ?? "", words)]
                case .examination: words["labelled", input, value]
                case .threshold, .speciesLimit:
                    reason.limit.map { words["reasonLimit", input, value, $0] } ?? words["labelled", input, value]
                case .nothingFound, .notAssessed: words.sentence(recognizing: reason.sentence)
                }
        }
    }

    /// A specialist with the points for each criterion.
    package struct Specialist: Sendable {
        package let name: String
        package let points: String
        package let wait: String
        package let lines: [Line]

        package struct Line: Sendable {
            package let criterion: String
            package let points: String
            package let because: String
        }
    }

    /// `rules` are the labels of the rule sets with which it can be computed again.
    package init(
        _ assessment: TriageAssessment,
        of triage: TriageDocument,
        rules sets: [String],
        _ view: PracticeView
    ) {
        let (words, reader) = (view.words, view.reader)
        rules = assessment.rulesLabel
        digest = assessment.rulesDigest
        readAt = words["recordAsOf", reader.number(assessment.recordPosition)]
        reasons = assessment.reasons.map { Reason($0, words) }
        contradictions = assessment.contradictions.map { words.sentence(recognizing: $0.sentence) }
        hasContradictions = !contradictions.isEmpty
        let unknown = assessment.unknownSigns.map { words["unknownSign", TriageWords.plain($0)] }
        missing = assessment.missing.map { words.label($0.label) } + unknown
        hasMissing = !missing.isEmpty
        findings = assessment.findings.shown(view)
        hasFindings = !findings.isEmpty
        let parts = assessment.complexity
        complexity = [
            LabelledText(words["complexity.level"], reader.number(parts.base)),
            LabelledText(words["complexity.species"], reader.number(parts.species)),
            LabelledText(words["complexity.age"], reader.number(parts.age)),
            LabelledText(words["complexity.history"], reader.number(parts.history)),
        ]
        complexityOverall = words["complexityOf", reader.number(parts.overall)]
        counted = words.count(parts.counted.count, "entriesCounted", reader.number(parts.counted.count))
        let ranking = assessment.ranking
        ranked = ranking.ranked.map { ranked in
            Specialist(
                name: view.specialist(ranked.specialist),
                points: words["pointsOf", reader.number(ranked.points), "100"],
                wait: ranked.waitMinutes == 0
                    ? words["freeNow"] : words["freeIn", reader.duration(ranked.waitMinutes)],
                lines: ranked.lines.map { line in
                    .init(
                        criterion: words["criterion.\(line.code.rawValue)"],
                        points: words["pointsOf", reader.number(line.points), reader.number(line.of)],
                        because: words.sentence(recognizing: line.because)
                    )
                }
            )
        }
        hasRanked = !ranked.isEmpty
        leftOut = ranking.leftOut.map { left in
            LabelledText(
                view.specialist(left.specialist),
                left.reasons.map { words["leftOut.\($0.rawValue)"] }.joined(separator: ", ")
            )
        }
        hasLeftOut = !leftOut.isEmpty
        explainAddress = "/triage/\(triage.id.text)/explain"
        ruleSets = sets.map { FormOption($0, $0, isChosen: $0 == assessment.rulesLabel) }
    }
}

extension TriageAssessment {
    /// The codes of signs that the rule set does not have.
    fileprivate var unknownSigns: [String] {
        TriageAssessment.fields.first { $0.name == "unknownSigns" }.map { values.texts($0) } ?? []
    }
}

extension TriageFindings {
    /// The findings, one text for each field that has a value.
    fileprivate func shown(_ view: PracticeView) -> [LabelledText] {
        TriageFindings.fields.leaves.compactMap { path in
            guard let field = path.fields.last, let value = values[path] else { return nil }
            return FindingsForm.shown(value, as: field, view)
                .map { LabelledText(FindingsForm.label(path, view.words), $0) }
        }
    }
}
