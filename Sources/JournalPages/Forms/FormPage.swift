/// A form on a page of its own.
package struct FormPage: WebPage {
    package static let template = "form"

    package var head: RecordHead?
    package var heading: String
    package var lead: String?
    /// What is wrong with all of it.
    package var problem: String?
    package var action: String
    package var cancel: String
    package var submit: String
    package var fields: [FormField]
    /// By which the same form is known when it is sent twice.
    package var key: String
    /// The state of what is changed that the form was made from.
    package var version: String?
    /// What cannot be undone, or is not easily.
    package var isGrave: Bool
    package var hasFile: Bool

    package init(
        _ head: RecordHead? = nil,
        heading: String,
        lead: String? = nil,
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
        self.problem = problem
        self.action = action
        self.cancel = cancel
        self.submit = submit
        self.fields = fields
        self.key = key
        self.version = version.map(String.init)
        self.isGrave = isGrave
        hasFile = fields.contains(where: \.isFile)
    }
}
