package import HealthModel

/// The page on which a sentence is entered.
package struct SentencePage: WebPage {
    package static let template = Template("say")

    package let head: RecordHead
    package let sentence: SentenceForm
    package let problem: String?

    package init(_ head: RecordHead, text: String = "", problem: String? = nil) {
        self.head = head
        sentence = SentenceForm(head, text: text)
        self.problem = problem
    }
}

extension FormPage {
    /// Returns the understood words beside their meaning, and the words that were not understood.
    package static func facts(of draft: Draft, _ reader: Reader) -> [Fact] {
        var facts = draft.understood.map {
            Fact(reader.words["quoted", $0.heard], reader.words["labelled", label($0.field, draft, reader), $0.value])
        }
        if !draft.rest.isEmpty { facts.append(Fact(reader.words["notUnderstood"], draft.rest.joined(separator: " "))) }
        return facts
    }

    /// The label of a field of a draft.
    private static func label(_ name: String, _ draft: Draft, _ reader: Reader) -> String {
        let fields = (draft.content?.kind.fields ?? []) + [Drug.name, Drug.dosage]
        let first = name.split(separator: ".").first.map(String.init) ?? name
        if let field = fields.first(where: { $0.name == first }) { return reader.words.label(field.label) }
        return reader.words.texts["plan.\(name)"] ?? reader.words["date"]
    }
}
