extension JournalEvent {
    /// Returns the changes from an earlier event of the same type, or all values as changes if there is none.
    ///
    /// The result contains the fields that are visible in audit trails. `text` returns the text of a value.
    package func changes(
        from before: JournalEvent?,
        text: (FieldValue) -> String? = \.text
    ) -> [FieldChange] {
        let (old, new) = (before?.values ?? FieldValues(), values)
        return definition.fields.lazy.filter { $0.visibility.contains(.trail) }.map(\.field)
            .flatMap { field in
                FieldChange.between(field.name, field.label, old[field].flatMap(text), new[field].flatMap(text))
            }
    }
}
