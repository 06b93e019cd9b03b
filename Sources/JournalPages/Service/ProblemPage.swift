/// Why something is not shown or done, and what to do.
package struct ProblemPage: WebPage {
    package static let template = "problem"

    package let heading: String
    package let detail: String
    package let advice: String
    package let back: String
    package let backLabel: String
    /// Where a caregiver opens a record that is shut, if it was one.
    package let emergency: String?

    /// Of a kind that has a name; `detail` as the service words it.
    package init(_ slug: String, detail: String, emergency: String? = nil, _ words: Words) {
        self.emergency = emergency
        heading = words.texts["problem.heading.\(slug)"] ?? words["problem.heading"]
        advice = words.texts["problem.advice.\(slug)"] ?? words["problem.advice"]
        self.detail = Sentence(detail).text
        back = "/records"
        backLabel = words["backToRecords"]
    }
}

/// A message as it stands by itself.
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
