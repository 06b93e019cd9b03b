/// The page of a form.
package struct FormPage: WebPage {
    package static let template = Template("form")

    package var head: RecordHead?
    package var heading: String
    package var lead: String?
    /// Information that is shown before the form is sent.
    package let facts: [Fact]
    package let hasFacts: Bool
    /// A problem of the whole form.
    package var problem: String? { didSet { arrange() } }
    package var action: String
    package var cancel: String
    package var submit: String
    package var fields: [FormField] { didSet { arrange() } }
    /// The fields that are asked first, as they are shown.
    private var blocks: [FormBlock] = []
    /// The fields that are shown on request; nil if there are none.
    private var more: More?
    private var refusal: FormRefusal?
    package var isRefused: Bool { refusal != nil }
    /// The idempotency key, which identifies a form that is sent twice.
    package var key: String
    /// The version of the data from which the form was created.
    package var version: String?
    /// Whether the action cannot be undone, or not easily.
    package var isGrave: Bool
    package private(set) var hasFile = false
    /// Whether a field has a button that only shows other fields.
    package private(set) var hasStep = false
    /// Values that the form sends back unchanged.
    package var hidden: [Hidden] = []
    /// The field for a sentence that prefills the form.
    package var sentence: SentenceForm?

    /// A value that the form sends back unchanged.
    package struct Hidden: Sendable {
        let name: String
        let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package struct Fact: Sendable {
        let label: String
        let text: String

        package init(_ label: String, _ text: String) {
            self.label = label
            self.text = text
        }
    }

    package init(
        _ head: RecordHead? = nil,
        heading: String,
        lead: String? = nil,
        facts: [Fact] = [],
        problem: String? = nil,
        action: String,
        cancel: String,
        submit: String,
        fields: [FormField],
        key: String,
        version: UInt64? = nil,
        isGrave: Bool = false
    ) {
        self.head = head
        self.heading = heading
        self.lead = lead
        self.facts = facts
        hasFacts = !facts.isEmpty
        self.problem = problem
        self.action = action
        self.cancel = cancel
        self.submit = submit
        self.fields = fields
        self.key = key
        self.version = version.map(String.init)
        self.isGrave = isGrave
        arrange()
    }

    private struct More: Sendable {
        let blocks: [FormBlock]
        let isOpen: Bool
    }

    /// Prepares what the template shows of the fields and of the problems.
    private mutating func arrange() {
        hasFile = fields.contains(where: \.isFile)
        hasStep = fields.contains { $0.step != nil || $0.line?.list?.addition != nil }
        // What belongs to a line of a list is shown in the line.
        let later = fields.filter { $0.isMore && $0.line?.list == nil }
        blocks = FormBlock.blocks(of: fields.filter { !($0.isMore && $0.line?.list == nil) })
        more =
            later.isEmpty ? nil : More(blocks: FormBlock.blocks(of: later), isOpen: later.contains(where: \.isNeeded))
        refusal = FormRefusal(problem, fields)
    }
}
