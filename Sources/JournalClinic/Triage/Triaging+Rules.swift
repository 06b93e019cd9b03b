internal import EventLog
package import FoundationEssentials
package import HealthModel
package import JournalCore
internal import JournalEvents

/// The rule sets that practices adopt for triage.
extension Journal.Triaging {
    /// Adopts a rule set for a practice; the veterinarian signs with a name.
    package func adoptTriageRules(
        _ rules: TriageRules,
        by veterinarian: String,
        in practice: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await journal.changing(caller) { change in
            _ = try await journal.access.admit(caller, to: .triage(.adoptRules), in: practice)
            let stream = try rulesStream(of: practice)
            let adopted = try adoptedRules(of: practice)
            try change.add(
                adopted.state.adopt(rules, digest: rules.digest, by: veterinarian),
                in: .stream(stream, of: practice),
                expecting: .exact(adopted.version)
            )
            return .existing(at: adopted.state.current?.stamp.position ?? 0, id: practice)
        }
    }

    /// Returns the rule sets that a practice adopted, the last one is in force.
    package func triageRules(
        of practice: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> AdoptedRules {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .see, in: practice)
            return try adoptedRules(of: practice, asOf: journal.log.position(asOf: moment)).state
        }
    }

    func rulesStream(of practice: UUID) throws(EventLogError) -> UUID {
        try journal.log.opaqueID(of: "triage rules", subject: practice)
    }

    func adoptedRules(of practice: UUID, asOf position: UInt64 = .max) throws -> Versioned<AdoptedRules> {
        try journal.fold(rulesStream(of: practice), asOf: position, from: AdoptedRules()) { evolve(&$0, $1) }
    }

    /// Returns the rule set with a label that the practice adopted or the program has.
    package func ruleSet(labelled label: String, of practice: UUID) throws -> TriageRules {
        if let rules = TriageRules.builtIn(label: label) { return rules }
        guard let adoption = try adoptedRules(of: practice).state.adopted.last(where: { $0.rules == label }) else {
            throw JournalError(.notFound, field: "rules", "the practice has no rule set \(label)")
        }
        return try adoption.ruleSet()
    }
}

extension TriageRules {
    /// The SHA-256 of the text, in hexadecimal digits.
    var digest: String { BlobStore.digest(of: Array(text.utf8)) }
}
