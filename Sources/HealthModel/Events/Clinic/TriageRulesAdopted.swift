/// A veterinarian of a practice adopted a rule set for triage by name.
package struct TriageRulesAdopted: EventData {
    /// The name and the version, such as `hj-triage/1`.
    package var rules: String
    /// The SHA-256 of the text of the rule set, in 64 hex digits.
    package var digest: String
    /// The text of a rule set of the practice; empty for one that is part of the program.
    package var text: String
    /// The name of the veterinarian who adopted it, as signed.
    package var veterinarian: String

    package init(rules: String, digest: String, text: String, veterinarian: String) {
        self.rules = rules
        self.digest = digest
        self.text = text
        self.veterinarian = veterinarian
    }

    package static var type: EventType { EventType(code: 142) }

    package static let definition = EventDefinition(
        "triageRules.adopted",
        .practice,
        "Triage rules adopted",
        TriageRulesAdopted.init,
        EventField(1, "rules", \.rules),
        EventField(2, "digest", \.digest),
        EventField(3, "text", \.text),
        EventField(4, "veterinarian", \.veterinarian)
    )

    package var summary: EventSummary { "\(rules)" }
}
