/// The page on which a practice reads what it wrote in a record, after it said what for.
///
/// The purpose is sent with a form, so that it is in no address.
package struct WrittenEntriesPage: WebPage {
    package static let template = Template("written")

    package let head: PracticeHead
    package let action: String
    package let fields: [FormField]
    package let entries: [EntryLine]
    package let hasEntries: Bool
    /// How many entries there are; nil before they are read.
    package let summary: String?

    /// `found` is nil before the entries are read.
    package init(
        _ view: PracticeView,
        action: String,
        purpose: String = "",
        found: [EntryLine]? = nil,
        problem: String? = nil
    ) {
        let words = view.words
        head = PracticeHead(view)
        self.action = action
        var field = FormField("purpose", words["writtenPurpose"], .line, value: purpose, problem: problem)
        field.hint = words["hint.writtenPurpose"]
        fields = [field]
        entries = found ?? []
        hasEntries = !entries.isEmpty
        summary = found.map { words.count($0.count, "foundEntries", view.reader.number($0.count)) }
    }
}
