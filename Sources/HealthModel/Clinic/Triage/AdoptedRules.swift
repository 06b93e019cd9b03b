/// The rule sets that a practice adopted, as of a position of the log.
package struct AdoptedRules: Hashable, Sendable {
    /// In the order of their adoption; the last one is in force.
    package var adopted: [Adoption] = []

    package struct Adoption: Hashable, Sendable {
        package var rules: String
        package var digest: String
        package var text: String
        package var veterinarian: String
        package var stamp: Stamp
    }

    package init() {}

    /// The rule set that is in force; nil before the first adoption.
    package var current: Adoption? { adopted.last }
}

/// Folds one event into the adopted rules of its stream.
package func evolve(_ state: inout AdoptedRules, _ event: RecordedEvent) {
    guard let adopted = event.event.data as? TriageRulesAdopted else { return }
    state.adopted.append(
        AdoptedRules.Adoption(
            rules: adopted.rules,
            digest: adopted.digest,
            text: adopted.text,
            veterinarian: adopted.veterinarian,
            stamp: event.stamp
        )
    )
}

extension AdoptedRules.Adoption {
    /// Returns the rule set.
    package func ruleSet() throws(ModelError) -> TriageRules {
        if !text.isEmpty { return try TriageRules(parsing: text) }
        guard let rules = TriageRules.builtIn(label: rules) else {
            throw ModelError(.notFound, "this program has no rule set \(rules): a newer one may have it")
        }
        return rules
    }
}

extension AdoptedRules {
    /// Decides on the adoption of a rule set by a veterinarian who signs with a name.
    ///
    /// A label names one set of rules only: another text needs another version.
    package func adopt(
        _ rules: TriageRules,
        digest: String,
        by veterinarian: String
    ) throws(ModelError) -> [JournalEvent] {
        try rules.validate()
        if veterinarian.isEmpty {
            throw ModelError(
                .invalid,
                field: "veterinarian",
                "is required: the veterinarian who adopts the rules signs"
            )
        }
        try TextCheck.check(veterinarian, field: "veterinarian", maximum: Limits.line)
        let builtIn = TriageRules.builtIn(label: rules.label)
        if let builtIn, builtIn.text != rules.text {
            throw ModelError(
                .conflict,
                field: "rules",
                "\(rules.label) is a rule set of this program: name yours otherwise"
            )
        }
        if adopted.contains(where: { $0.rules == rules.label && $0.digest != digest }) {
            throw ModelError(
                .conflict,
                field: "rules",
                "\(rules.label) was adopted with other rules: give another version"
            )
        }
        if let current, current.digest == digest, current.veterinarian == veterinarian { return [] }
        return [
            JournalEvent(
                TriageRulesAdopted(
                    rules: rules.label,
                    digest: digest,
                    text: builtIn == nil ? rules.text : "",
                    veterinarian: veterinarian
                )
            )
        ]
    }
}
