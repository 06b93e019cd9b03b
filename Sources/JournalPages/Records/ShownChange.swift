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

    /// The change of the original that an import kept, where no value changed that is shown.
    private init(ofOriginal reader: Reader) {
        label = reader.words["importedOriginal"]
        before = reader.words["importedOriginalBefore"]
        after = reader.words["importedOriginalAfter"]
    }

    /// Describes changes, without those of `hidden` fields, which only machines need, and of originals.
    ///
    /// If nothing else than an original changed, one line says that.
    static func all(
        _ changes: [FieldChange],
        of fields: [Field],
        hidden: Set<String>,
        _ reader: Reader
    ) -> [ShownChange] {
        let shown = changes.withoutOriginals.filter { !hidden.contains($0.path) }
        if shown.isEmpty, changes.contains(where: \.isOfOriginal) { return [ShownChange(ofOriginal: reader)] }
        return shown.map { ShownChange($0, of: fields, reader) }
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
    /// Returns the differences from an older content, as they are shown.
    package func shownChanges(from before: EntryContent?, _ reader: Reader) -> [ShownChange] {
        ShownChange.all(changes(from: before), of: kind.fields, hidden: EntryContent.hidden, reader)
    }
}

extension RecordProfile {
    /// Returns the differences from an older profile, as they are shown.
    package func shownChanges(from before: RecordProfile?, _ reader: Reader) -> [ShownChange] {
        ShownChange.all(changes(from: before), of: fields, hidden: RecordProfile.hidden.union(["subject"]), reader)
    }
}
