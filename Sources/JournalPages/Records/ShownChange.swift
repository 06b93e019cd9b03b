package import HealthModel

/// The values of a field before and after a change, as shown to the reader.
package struct ShownChange: Hashable, Sendable {
    package let label: String
    /// Nil if the field had no value.
    package let before: String?
    package let after: String?

    init(_ change: FieldChange, of fields: [Field], _ reader: Reader) {
        label = reader.words.label(change.label)
        let path = fields.path(named: change.path)
        before = change.before.map { reader.shown($0, change.path, path) }
        after = change.after.map { reader.shown($0, change.path, path) }
    }

    /// The change of what an import kept as its source wrote it, where no value changed.
    init(ofOriginal reader: Reader) {
        label = reader.words["importedText"]
        before = reader.words["importedBefore"]
        after = reader.words["importedNow"]
    }
}

extension Reader {
    /// Describes changes in one line.
    package func summary(of changes: [ShownChange]) -> String {
        let (nothing, onMark) = (words["nothing"], words["onMark"])
        return changes.map { words["labelled", $0.label, "\($0.before ?? nothing) \(onMark) \($0.after ?? nothing)"] }
            .joined(separator: "; ")
    }

    /// Formats a value of a change, which contains it as text.
    fileprivate func shown(_ text: String, _ name: String, _ path: FieldPath?) -> String {
        if name == "date", let date = try? OccurredDate(parsing: text) { return occurred(date) }
        guard let path, let field = path.fields.last, let value = try? FieldValue(parsing: text, as: field) else {
            return text
        }
        return self.text(of: value, path)
    }
}

extension EntryContent {
    /// Returns the differences from an older content, without fields that only machines need.
    package func shownChanges(from before: EntryContent?, _ reader: Reader) -> [ShownChange] {
        let changes = changes(from: before)
        let shown = changes.withoutOriginals
        if shown.isEmpty, !changes.isEmpty { return [ShownChange(ofOriginal: reader)] }
        return shown.filter { !EntryContent.hidden.contains($0.path) }.map { ShownChange($0, of: kind.fields, reader) }
    }
}

extension RecordProfile {
    package func shownChanges(from before: RecordProfile?, _ reader: Reader) -> [ShownChange] {
        changes(from: before).withoutOriginals
            .filter { !RecordProfile.hidden.contains($0.path) && $0.path != "subject" }
            .map { ShownChange($0, of: fields, reader) }
    }
}
