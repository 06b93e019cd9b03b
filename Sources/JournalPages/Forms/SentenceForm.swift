/// The field for a sentence that is read into a form.
package struct SentenceForm: Sendable {
    package let action: String
    package let text: String

    package init(_ head: RecordHead, text: String = "") {
        action = "\(head.address)/say"
        self.text = text
    }
}
