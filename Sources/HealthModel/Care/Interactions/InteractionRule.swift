/// One rule of a rule set: which substances may not go together, with the effect, the advice and the source.
package struct InteractionRule: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Two substances, or two classes.
        case pair
        /// Two different substances of one class.
        case duplicate
        /// A substance, and an allergy of the person.
        case allergy
        /// A substance, and a food.
        case food
        /// A food, and an allergy of the person.
        case foodAllergy
        /// The most of a substance in 24 hours.
        case maximum
    }

    /// A substance or a food, or a class of them.
    package enum Term: Hashable, Sendable {
        case name(FoldedName)
        case group(String)
    }

    /// Where the rule comes from.
    package struct Source: Hashable, Sendable {
        package var name: String
        /// A reference that a reader can look up, such as a DOI; empty if there is none.
        package var reference: String

        package init(name: String, reference: String = "") {
            self.name = name
            self.reference = reference
        }
    }

    /// Unique within its rule set.
    package var id: String
    package var kind: Kind
    package var a: Term
    /// Nil for `duplicate` and `maximum`.
    package var b: Term?
    package var severity: InteractionSeverity
    /// Whether the source does not say how serious it is.
    package var isUnrated: Bool
    package var effect: String
    package var advice: String
    package var source: Source
    /// Whether a rule of the kind `food` is also advice for a plan, whatever was eaten.
    package var isStanding: Bool
    /// The greatest amount that a rule of the kind `maximum` allows within 24 hours.
    package var limit: SubstanceAmount?

    package init(
        id: String,
        kind: Kind,
        a: Term,
        b: Term? = nil,
        severity: InteractionSeverity,
        isUnrated: Bool = false,
        effect: String = "",
        advice: String = "",
        source: Source,
        isStanding: Bool = false,
        limit: SubstanceAmount? = nil
    ) {
        self.id = id
        self.kind = kind
        self.a = a
        self.b = b
        self.severity = severity
        self.isUnrated = isUnrated
        self.effect = effect
        self.advice = advice
        self.source = source
        self.isStanding = isStanding
        self.limit = limit
    }
}

/// A set of rules with the names that they use: one file that an operator loads.
package struct RuleSet: Hashable, Sendable {
    /// Whether it is the one that comes with the program, whose rules are for people.
    package var isStarter: Bool { name == "starter" }

    package var name: String
    package var version: String
    /// An SPDX identifier, or the words of the source.
    package var licence: String
    /// The language of the texts, as BCP 47.
    package var language: String
    /// The names of substances or foods of each class.
    package var classes: [String: [FoldedName]]
    /// Other names of a substance, with the name that the rules use.
    package var synonyms: [FoldedName: FoldedName]
    package var rules: [InteractionRule]

    package init(
        name: String,
        version: String,
        licence: String,
        language: String = "en",
        classes: [String: [FoldedName]] = [:],
        synonyms: [FoldedName: FoldedName] = [:],
        rules: [InteractionRule]
    ) {
        self.name = name
        self.version = version
        self.licence = licence
        self.language = language
        self.classes = classes
        self.synonyms = synonyms
        self.rules = rules
    }

    /// The name and the version.
    package var label: String { "\(name) \(version)" }

    package static let maximumRules = 500_000
}
