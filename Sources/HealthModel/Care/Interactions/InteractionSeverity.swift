/// How serious an interaction is; the raw values are stored.
package enum InteractionSeverity: String, CaseIterable, Hashable, Sendable {
    case low
    case medium
    case high
    case critical

    /// Whether a finding interrupts: it is shown before a plan is saved, and with each dose.
    package var isAlarming: Bool { self >= .high }

    /// The words of other rule sets, with the severity that each means.
    private static let foreign: [String: InteractionSeverity] = [
        "contraindicated": .critical, "major": .high, "moderate": .medium, "minor": .low,
    ]

    /// Reads the word of a rule file; nil if the word is not known.
    ///
    /// `unknown` is the lowest severity, and the rule counts as not rated.
    package static func reading(_ word: String) -> (severity: InteractionSeverity, isUnrated: Bool)? {
        if word == "unknown" { return (.low, true) }
        return (InteractionSeverity(rawValue: word) ?? foreign[word]).map { ($0, false) }
    }

    /// The words that a rule file may use.
    package static let words = allCases.map(\.rawValue) + foreign.keys.sorted() + ["unknown"]
}

extension InteractionSeverity: Comparable {
    package static func < (left: InteractionSeverity, right: InteractionSeverity) -> Bool { left.rank < right.rank }

    private var rank: Int { InteractionSeverity.allCases.firstIndex(of: self) ?? 0 }
}
