/// The result of one check of the journal.
package struct Finding: Hashable, Sendable {
    package let what: String
    package let isOK: Bool
    package let detail: String

    package init(_ what: String, isOK: Bool, _ detail: String) {
        self.what = what
        self.isOK = isOK
        self.detail = detail
    }
}
