extension FieldValues {
    /// Returns the changes from older values, in the order of the fields.
    ///
    /// Numbers without a field come last, named like `#17`. `text` returns the text of a value that is no group.
    func changes(
        from before: FieldValues,
        as fields: [Field],
        text: (FieldValue) -> String? = \.text
    ) -> [FieldChange] {
        let known = fields.flatMap { field in
            changes(of: field.number, from: before, path: field.name, label: field.label, type: field.type, text: text)
        }
        let names = Set(fields.map(\.number))
        let unknown = Set((items + before.items).map(\.number)).subtracting(names).sorted()
        return known
            + unknown.flatMap { number in
                changes(of: number, from: before, path: "#\(number)", label: "#\(number)", type: nil, text: text)
            }
    }

    private func changes(
        of number: UInt32,
        from before: FieldValues,
        path: String,
        label: String,
        type: FieldType?,
        text: (FieldValue) -> String?
    ) -> [FieldChange] {
        let old = before[number: number]
        let new = self[number: number]
        if old == new { return [] }
        // A value may have changed from a group to a text or back, so the parts of a group are compared separately.
        if case .list(.group(let fields), _)? = type {
            return listChanges(old, new, of: fields, path: path, label: label, text: text)
        }
        let inner: [Field] = if case .group(let fields) = type { fields } else { [] }
        let parts = (new?.group ?? FieldValues()).changes(from: old?.group ?? FieldValues(), as: inner, text: text)
            .map { part in
                FieldChange(
                    path: "\(path).\(part.path)",
                    label: "\(label), \(part.label)",
                    before: part.before,
                    after: part.after
                )
            }
        return FieldChange.between(path, label, old.flatMap(text), new.flatMap(text)) + parts
    }
}

extension FieldValues {
    /// Returns the changes of a list of groups, place by place.
    private func listChanges(
        _ old: FieldValue?,
        _ new: FieldValue?,
        of fields: [Field],
        path: String,
        label: String,
        text: (FieldValue) -> String?
    ) -> [FieldChange] {
        let (before, after) = (old?.groups ?? [], new?.groups ?? [])
        return (0..<max(before.count, after.count))
            .flatMap { index in
                let old = index < before.count ? before[index] : FieldValues()
                let new = index < after.count ? after[index] : FieldValues()
                return new.changes(from: old, as: fields, text: text)
                    .map { part in
                        FieldChange(
                            path: "\(path).\(index).\(part.path)",
                            label: "\(label) \(index + 1), \(part.label)",
                            before: part.before,
                            after: part.after
                        )
                    }
            }
    }
}

extension FieldValue {
    /// The groups of a list.
    fileprivate var groups: [FieldValues] {
        if case .list(let values) = self { values.map { $0.group ?? FieldValues() } } else { [] }
    }

    fileprivate var group: FieldValues? {
        if case .group(let values) = self { values } else { nil }
    }
}
