package import HealthModel

/// The rule sets of triage: those that a practice adopted, and the forms that adopt one.
package struct TriageRulesPage: WebPage {
    package static let template = Template("triage-rules")

    package let head: PracticeHead
    package let current: Item?
    package let earlier: [Item]
    package let hasEarlier: Bool
    /// The texts of the rule sets: the adopted ones, and those of the program.
    package let texts: [Text]
    package let mayAdopt: Bool
    package let action: String
    /// The forms that adopt a rule set of the program.
    package let builtIn: [BuiltIn]
    package let ownText: String
    package let ownProblem: String?
    package let ownFields: [FormField]
    /// Whether the form of a practice's own rules is shown open.
    package let isOwnOpen: Bool
    /// A problem of the whole form.
    package let problem: String?
    /// Identifies a form that is sent twice.
    package let key: String

    package struct Item: Sendable {
        package let rules: String
        package let digest: String
        package let adopted: String
    }

    package struct Text: Sendable {
        package let label: String
        package let rules: String
        package let text: String
    }

    package struct BuiltIn: Sendable {
        package let rules: String
        package let button: String
        package let fields: [FormField]
    }

    /// The typed values of a form that was refused, and its problems.
    package struct Refused: Sendable {
        /// The rule set of the program; empty for a text of the practice.
        package let rules: String
        package let text: String
        package let veterinarian: String
        package let problems: [String: String]

        package init(rules: String, text: String, veterinarian: String, problems: [String: String]) {
            self.rules = rules
            self.text = text
            self.veterinarian = veterinarian
            self.problems = problems
        }
    }

    package init(
        _ adopted: AdoptedRules,
        mayAdopt: Bool,
        refused: Refused? = nil,
        problem: String? = nil,
        key: String,
        _ names: Names,
        _ view: PracticeView
    ) {
        let words = view.words
        head = PracticeHead(view)
        let items = adopted.adopted.reversed()
            .map { adoption in
                Item(
                    rules: adoption.rules,
                    digest: adoption.digest,
                    adopted: words[
                        "adoptedBy",
                        adoption.veterinarian,
                        names[adoption.stamp.actor, view.reader],
                        view.reader.moment(adoption.stamp.recordedAt)
                    ]
                )
            }
        current = items.first
        earlier = Array(items.dropFirst())
        hasEarlier = items.count > 1
        var texts: [Text] = []
        let own = adopted.adopted.reversed().filter { !$0.text.isEmpty }.map { ($0.rules, $0.text) }
        for (rules, text) in own + TriageRules.builtIn.map({ ($0.label, $0.text) })
        where !texts.contains(where: { $0.rules == rules }) {
            texts.append(Text(label: words["textOfRules", rules], rules: rules, text: text))
        }
        self.texts = texts
        self.mayAdopt = mayAdopt
        action = "\(view.address)/rules"
        func signature(_ place: String, _ refused: Refused?) -> [FormField] {
            var field = FormField(
                "veterinarian",
                words["signature"],
                .line,
                value: refused?.veterinarian ?? "",
                problem: refused?.problems["veterinarian"]
            )
            field.hint = words["hint.signature"]
            field.isRequired = true
            return [field.placed(in: place)]
        }
        builtIn = TriageRules.builtIn.enumerated()
            .map { number, rules in
                BuiltIn(
                    rules: rules.label,
                    button: words["adoptRules", rules.label],
                    fields: signature("set-\(number)", refused?.rules == rules.label ? refused : nil)
                )
            }
        let ownRefused = refused.flatMap { $0.rules.isEmpty ? $0 : nil }
        ownText = ownRefused?.text ?? ""
        ownProblem = ownRefused?.problems["text"]
        ownFields = signature("own", ownRefused)
        isOwnOpen = ownRefused != nil
        self.problem = problem
        self.key = key
    }
}
