/// One field whose value differs between two states, as shown in a history.
package struct FieldChange: Hashable, Sendable {
    /// The path of the field with dots, such as `vet.email`.
    package var path: String
    /// The display name.
    package var label: String
    /// The older value; nil if the field was absent.
    package var before: String?
    /// The newer value; nil if the field is absent.
    package var after: String?

    package init(path: String, label: String, before: String?, after: String?) {
        self.path = path
        self.label = label
        self.before = before
        self.after = after
    }
}

extension FieldChange {
    /// Whether the change is one of what an import kept as its source wrote it, beside the values that it became.
    ///
    /// Only an import can add a field whose name begins with `$`.
    package var isOfOriginal: Bool { path.hasPrefix("extra.$") }

    /// Returns the change of one text, or an empty array if the texts are equal.
    static func between(_ path: String, _ label: String, _ before: String?, _ after: String?) -> [FieldChange] {
        before == after ? [] : [FieldChange(path: path, label: label, before: before, after: after)]
    }
}

extension [FieldChange] {
    /// The changes that a person can make: without those of originals, which may be long and repeat the values.
    package var withoutOriginals: [FieldChange] { filter { !$0.isOfOriginal } }
}

extension JournalEvent {
    /// Returns the changes from an earlier event that set the same state, or all values as changes if there is none.
    ///
    /// The result contains the fields that are visible in audit trails, the parts of a group one by one. A field of the
    /// earlier event is the one with the same name. `text` returns the text of a value that is no group.
    package func changes(
        from before: JournalEvent?,
        text: (FieldValue) -> String? = \.text
    ) -> [FieldChange] {
        let fields = definition.fields.filter { $0.visibility.contains(.trail) }.map(\.field)
        let values = self.values
        var (old, new) = (FieldValues(), FieldValues())
        for field in fields {
            new[field] = values[field]
            old[field] = before?.value(named: field.name)
        }
        return new.changes(from: old, as: fields, text: text)
    }
}
