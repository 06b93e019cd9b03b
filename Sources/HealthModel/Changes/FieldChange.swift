/// One field whose value differs between two states, as a trail shows it.
package struct FieldChange: Hashable, Sendable {
    /// The name with dots between, as `vet.email`.
    package var path: String
    /// The name that a person reads.
    package var label: String
    /// Nil where the field was absent.
    package var before: String?
    /// Nil where the field is absent now.
    package var after: String?

    package init(path: String, label: String, before: String?, after: String?) {
        self.path = path
        self.label = label
        self.before = before
        self.after = after
    }
}

extension FieldChange {
    /// The change of one text, if it changed.
    static func between(_ path: String, _ label: String, _ before: String?, _ after: String?) -> [FieldChange] {
        before == after ? [] : [FieldChange(path: path, label: label, before: before, after: after)]
    }
}
