package import HealthModel
package import Interchange

/// The page of interactions: a question, the open findings, what could not be checked, and the settled findings.
package struct InteractionsPage: WebPage {
    package static let template = Template("interactions")

    package let head: RecordHead
    /// Where a question is sent; nil if the reader may not ask.
    package let askAction: String?
    package let checkAction: String
    /// Identifies a form that is sent twice.
    package let key: String
    /// The rule sets, or that none is loaded; nil if the reader does not see the medications.
    package let rules: String?
    package let hasRules: Bool
    /// Whether it is known that no rules are loaded.
    package let lacksRules: Bool
    package let notChecked: [String]
    package let hasNotChecked: Bool
    package let notInUse: [String]
    package let hasNotInUse: Bool
    /// Open findings, without those of low severity.
    package let open: [FindingCard]
    package let hasOpen: Bool
    package let low: [FindingCard]
    package let hasLow: Bool
    package let answers: [FindingCard]
    package let hasAnswers: Bool
    package let settled: [FindingCard]
    package let hasSettled: Bool
    package let isEmpty: Bool

    /// Creates the page; `check` is nil for a reader who does not see the medications.
    package init(
        _ head: RecordHead,
        _ findings: [FindingDocument],
        check: CheckDocument?,
        mayAsk: Bool,
        key: String,
        _ reader: Reader
    ) {
        self.head = head
        self.key = key
        let address = "\(head.address)/interactions"
        let mayChange = mayAsk && !head.moment.isPast
        askAction = mayChange ? "\(address)/ask" : nil
        checkAction = "\(address)/check"
        let words = reader.words
        hasRules = check.map { !$0.ruleSets.isEmpty && $0.result != .notChecked } ?? false
        lacksRules = check?.ruleSets.isEmpty == true
        rules = check.map { check in
            check.ruleSets.isEmpty ? words["noRules"] : words["rulesUsed", check.ruleSets.joined(separator: ", ")]
        }
        notChecked = (check?.notChecked ?? []).map(words.notChecked)
        hasNotChecked = !notChecked.isEmpty
        notInUse = check?.notInUse ?? []
        hasNotInUse = !notInUse.isEmpty
        func cards(_ isShown: (FindingDocument) -> Bool) -> [FindingCard] {
            findings.filter(isShown).map { FindingCard($0, head, maySettle: mayChange, reader) }
        }
        open = cards { $0.state.isOpen && $0.severity != .low }
        low = cards { $0.state.isOpen && $0.severity == .low }
        answers = cards { $0.state == .answered }
        settled = cards { !$0.state.isOpen && $0.state != .answered }
        (hasOpen, hasLow) = (!open.isEmpty, !low.isEmpty)
        (hasAnswers, hasSettled) = (!answers.isEmpty, !settled.isEmpty)
        isEmpty = !hasOpen && !hasLow
    }
}

/// A finding on a page, with its severity as a word and a shape.
package struct FindingCard: Sendable {
    package let heading: String
    package let badge: SeverityBadge
    package let texts: [String]
    package let advice: [String]
    package let background: String?
    package let remark: String
    package let reason: String?
    package let address: String
    /// Where the form that settles it is sent; nil if it cannot be settled.
    package let action: String?
    package let options: [FormOption]

    package init(_ finding: FindingDocument, _ head: RecordHead, maySettle: Bool, _ reader: Reader) {
        let words = reader.words
        heading = finding.query ?? finding.names
        badge = SeverityBadge(finding.severity, or: words[finding.query == nil ? "notRated" : "answer"], reader)
        texts = finding.details.map { detail in
            let names = finding.query == nil ? nil : [detail.first, detail.second].compactMap(\.self)
            let pair = names?.joined(separator: " + ")
            let text = detail.description.map(words.message)
            guard let pair, let text else { return pair ?? text ?? "" }
            return words["labelled", pair, text]
        }
        advice = finding.recommendations.map(words.message)
        // The texts of rule sets are shown as they are; those of the journal itself are translated.
        background = finding.background.map { text in
            text.split(separator: "\n", omittingEmptySubsequences: false).map { words.message(recognizing: String($0)) }
                .joined(separator: "\n")
        }
        let found = words["foundAt", reader.moment(finding.foundAt)]
        switch finding.state {
        case .open, .answered: remark = found
        case .reopened: remark = words["reopenedRemark", found]
        case .gone: remark = words["goneRemark", found]
        case .resolved:
            let how = reader.choice(finding.resolution ?? "")
            remark = words["settledRemark", how, finding.resolvedAt.map { reader.moment($0) } ?? ""]
        }
        reason = finding.reason
        address = "\(head.address)/entries/\(Interaction.kind.name)/\(finding.id.text)"
        action =
            maySettle && finding.state.isOpen ? "\(head.address)/interactions/\(finding.id.text)/resolution" : nil
        options = Interaction.Resolution.allCases.map {
            FormOption($0.rawValue, reader.choice($0.rawValue), isChosen: $0 == .askedProfessional)
        }
    }
}

/// A severity as a shape, a word and a colour.
package struct SeverityBadge: Sendable {
    /// The end of the name of its style; empty without a severity.
    package let name: String
    package let symbol: String
    package let word: String

    /// `unrated` is the word for what has no severity.
    init(_ severity: InteractionSeverity?, or unrated: String, _ reader: Reader) {
        name = severity?.rawValue ?? ""
        symbol = severity?.symbol ?? "·"
        word = severity.map { reader.choice($0.rawValue) } ?? unrated
    }
}

extension FindingDocument {
    /// The names of what does not go together.
    package var names: String {
        guard let detail = details.first else { return (medications + supplements).joined(separator: " + ") }
        return [detail.first, detail.second].compactMap(\.self).joined(separator: " + ")
    }

    /// The finding in one sentence, for other pages.
    package func sentence(_ reader: Reader) -> String {
        let sentence = statement(reader)
        return severity.map { reader.words["labelled", "\($0.symbol) \(reader.choice($0.rawValue))", sentence] }
            ?? sentence
    }

    /// What was found, without its severity.
    func statement(_ reader: Reader) -> String {
        "\(names). \(details.first?.description.map(reader.words.message) ?? "")"
    }
}

extension InteractionSeverity {
    /// A shape for the severity, beside its word.
    package var symbol: String {
        switch self {
        case .critical: "◆"
        case .high: "▲"
        case .medium: "●"
        case .low: "○"
        }
    }
}

extension Words {
    /// Returns the name of what a check could not compare, with the reason, in this language.
    package func notChecked(_ name: String) -> String {
        name == CheckResult.animals ? self["notCheckedAnimals"] : message(recognizing: name)
    }
}
