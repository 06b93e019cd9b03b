package import FoundationEssentials

/// Something that a check found: what may not go together, and why.
package struct InteractionFinding: Hashable, Sendable {
    /// Follows from the rule and what it is about, so that every check finds it under the same id.
    package var id: UUID
    /// The name and the version of the rule set; that of the journal itself for what needs no rule.
    package var ruleSet: String
    /// The id of the rule in its set.
    package var rule: String
    package var kind: InteractionRule.Kind
    package var severity: InteractionSeverity
    package var isUnrated: Bool
    /// What it is about, in the order of the rule.
    package var parties: [Party]
    package var effect: String
    package var advice: String
    package var source: String

    package struct Party: Hashable, Sendable {
        package var name: String
        package var role: Role
        /// Nil for a party that is no entry, such as a substance that a question names.
        package var entry: UUID?

        package init(name: String, role: Role, entry: UUID?) {
            self.name = name
            self.role = role
            self.entry = entry
        }
    }

    package enum Role: Hashable, Sendable {
        case medication, supplement, allergy, food
    }

    /// The entries that it is about, in ascending order.
    package var entries: [UUID] { Set(parties.compactMap(\.entry)).sorted { $0.text < $1.text } }

    /// The name under which findings appear that need no rule set: the same substance twice, or an allergy to it.
    package static let ownRules = "healthjournal"
}

extension InteractionFinding {
    /// Creates a finding of a rule of a set.
    ///
    /// The namespace of the id is a secret of the record: ids of entries are not encrypted, and no one may be able to
    /// test which rule a finding is about.
    package init(
        _ rule: InteractionRule,
        of set: RuleSet,
        severity: InteractionSeverity? = nil,
        _ parties: [Party],
        _ namespace: UUID
    ) {
        self.init(
            ruleSet: set.name,
            label: set.label,
            rule: rule.id,
            kind: rule.kind,
            severity: severity ?? rule.severity,
            isUnrated: rule.isUnrated,
            parties,
            effect: rule.effect,
            advice: rule.advice,
            source: [rule.source.name, rule.source.reference].filter { !$0.isEmpty }.joined(separator: ", "),
            namespace
        )
    }

    init(
        ruleSet: String,
        label: String,
        rule: String,
        kind: InteractionRule.Kind,
        severity: InteractionSeverity,
        isUnrated: Bool = false,
        _ parties: [Party],
        effect: String,
        advice: String,
        source: String,
        _ namespace: UUID
    ) {
        self.ruleSet = label
        self.rule = rule
        self.kind = kind
        self.severity = severity
        self.isUnrated = isUnrated
        self.parties = parties
        self.effect = effect
        self.advice = advice
        self.source = source
        id = namespace
        // A party that is no entry is known by its name; two foods of one meal are one finding.
        let others = parties.filter { $0.entry == nil }.map { FoldedName($0.name).text }.sorted()
        let about = entries.map(\.text) + others
        id = UUID(nameBased: namespace, ([ruleSet, rule] + about).joined(separator: "\n"))
    }
}

extension InteractionFinding {
    /// The finding as the content of an entry of the kind `interaction`.
    package func content(at now: Instant) -> EntryContent {
        var content = EntryContent(kind: Interaction.kind, date: .instant(now))
        content.body[Interaction.source] = .text(Interaction.Source.scheduledCheck.rawValue)
        content.body[Interaction.found] = .flag(true)
        content.body.describe([self])
        content.body[Interaction.rule] = .text(rule)
        content.body[Interaction.ruleSet] = .text(ruleSet)
        content.body[Interaction.entries] = .list(entries.map { .id($0) })
        return content
    }

    /// The fields of one of the details of an entry.
    fileprivate var detail: FieldValues {
        typealias Detail = Interaction.Detail
        var values = FieldValues()
        values[Detail.id] = .id(id)
        values[Detail.medication1] = .text(parties.first?.name.cut(to: Limits.line) ?? "")
        let others = parties.dropFirst().map(\.name).joined(separator: ", ")
        values[Detail.medication2] = .text(others.cut(to: Limits.line))
        values[Detail.interactionType] = .text(kind.rawValue)
        values[Detail.description] = .text(effect)
        values[Detail.severity] = .text(severity.rawValue)
        return values
    }
}

extension FieldValues {
    /// Sets what some findings are about; they are in descending order of their severities.
    package mutating func describe(_ findings: [InteractionFinding]) {
        let findings = findings.prefix(100)
        func names(_ role: InteractionFinding.Role) -> FieldValue {
            var seen: Set<String> = []
            let names = findings.flatMap(\.parties).filter { $0.role == role }.map { $0.name.cut(to: Limits.line) }
            return .list(names.filter { seen.insert($0).inserted }.prefix(100).map { .text($0) })
        }
        self[Interaction.medications] = names(.medication)
        self[Interaction.supplements] = names(.supplement)
        self[Interaction.severity] = findings.map(\.severity).max().map { .text($0.rawValue) }
        self[Interaction.details] = .list(findings.map { .group($0.detail) })
        var advice: [String] = []
        for text in findings.map(\.advice) where !text.isEmpty && !advice.contains(text) { advice.append(text) }
        self[Interaction.recommendations] = .list(advice.prefix(20).map { .text($0) })
        var sources: [String] = []
        for finding in findings {
            let rating = finding.isUnrated ? " (the source does not rate it)" : ""
            let text = finding.source.isEmpty ? "" : "Source: \(finding.source)\(rating)."
            if !text.isEmpty, !sources.contains(text) { sources.append(text) }
        }
        self[Interaction.educationalInfo] = .text(sources.joined(separator: "\n").cut(to: Limits.paragraphs))
    }
}

extension String {
    /// The text cut to a number of UTF-8 bytes, between characters.
    package func cut(to maximum: Int) -> String {
        var count = 0
        let end = indices.first { index in
            count += self[index].utf8.count
            return count > maximum
        }
        return end.map { String(self[..<$0]) } ?? self
    }
}
