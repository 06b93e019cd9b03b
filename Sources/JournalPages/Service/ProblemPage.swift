package import HealthModel

/// The page of an error: the refusal or failure, and what the user can do.
package struct ProblemPage: WebPage {
    package static let template = Template("problem")

    package let heading: String
    package let detail: String
    package let advice: String
    package let back: String
    package let backLabel: String
    /// The address of the form that opens the emergency view, if access to a record was refused.
    package let emergency: String?

    /// Creates the page of a problem type, given by its slug, with the service's `detail`.
    package init(_ slug: String, detail: Message, field: String? = nil, emergency: String? = nil, _ words: Words) {
        self.emergency = emergency
        heading = words.texts["problem.heading.\(slug)"] ?? words["problem.heading"]
        advice = words.texts["problem.advice.\(slug)"] ?? words["problem.advice"]
        self.detail = words.sentence(detail, of: field)
        back = "/records"
        backLabel = words["backToRecords"]
    }
}

extension String {
    /// The text with a capital at its beginning.
    var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}

/// A message as a sentence, with an initial capital and a full stop.
package struct Sentence {
    package let text: String

    package init(_ message: String) {
        guard let first = message.first else {
            text = ""
            return
        }
        text = first.uppercased() + message.dropFirst() + (message.hasSuffix(".") ? "" : ".")
    }
}
