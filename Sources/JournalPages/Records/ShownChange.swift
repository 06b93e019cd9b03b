package import HealthModel

/// What a field said before and says after a change, as somebody reads it.
package struct ShownChange: Hashable, Sendable {
    package let label: String
    /// Nil where the field said nothing.
    package let before: String?
    package let after: String?

    init(_ change: FieldChange, of fields: [Field], _ reader: Reader) {
        label = change.label
        let path = fields.path(named: change.path)
        before = change.before.map { reader.shown($0, change.path, path) }
        after = change.after.map { reader.shown($0, change.path, path) }
    }
}

extension Reader {
    /// Changes in a sentence.
    package func told(_ changes: [ShownChange]) -> String {
        let nothing = words["nothing"]
        return changes.map { "\($0.label): \($0.before ?? nothing) → \($0.after ?? nothing)" }.joined(separator: "; ")
    }

    /// A value of a change, which has it as a text.
    fileprivate func shown(_ text: String, _ name: String, _ path: FieldPath?) -> String {
        if name == "date", let date = try? OccurredDate(parsing: text) { return occurred(date) }
        guard let path, let field = path.fields.last, let value = try? FieldValue(parsing: text, as: field) else {
            return text
        }
        return self.text(of: value, path)
    }
}

extension EntryContent {
    /// What differs from an older content, but for what only machines read.
    package func shownChanges(from before: EntryContent?, _ reader: Reader) -> [ShownChange] {
        changes(from: before).filter { !EntryContent.hidden.contains($0.path) }
            .map { ShownChange($0, of: kind.fields, reader) }
    }
}

extension RecordProfile {
    package func shownChanges(from before: RecordProfile?, _ reader: Reader) -> [ShownChange] {
        changes(from: before).filter { !RecordProfile.hidden.contains($0.path) && $0.path != "subject" }
            .map { ShownChange($0, of: fields, reader) }
    }
}
