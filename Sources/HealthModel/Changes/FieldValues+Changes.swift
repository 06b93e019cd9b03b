extension FieldValues {
    /// Returns the changes from older values, in the order of the fields.
    ///
    /// Numbers without a field come last, named like `#17`.
    func changes(from before: FieldValues, as fields: [Field]) -> [FieldChange] {
        let known = fields.flatMap { field in
            changes(of: field.number, from: before, path: field.name, label: field.label, type: field.type)
        }
        let names = Set(fields.map(\.number))
        let unknown = Set((items + before.items).map(\.number)).subtracting(names).sorted()
        return known
            + unknown.flatMap { number in
                changes(of: number, from: before, path: "#\(number)", label: "#\(number)", type: nil)
            }
    }

    private func changes(
        of number: UInt32,
        from before: FieldValues,
        path: String,
        label: String,
        type: FieldType?
    ) -> [FieldChange] {
        let old = before[number: number]
        let new = self[number: number]
        if old == new { return [] }
        // A value may have changed from a group to a text or back, so the parts of a group are compared separately.
        let inner: [Field] = if case .group(let fields) = type { fields } else { [] }
        let parts = (new?.group ?? FieldValues()).changes(from: old?.group ?? FieldValues(), as: inner)
            .map { part in
                FieldChange(
                    path: "\(path).\(part.path)",
                    label: "\(label), \(part.label)",
                    before: part.before,
                    after: part.after
                )
            }
        return FieldChange.between(path, label, old?.text, new?.text) + parts
    }
}

extension FieldValue {
    fileprivate var group: FieldValues? {
        if case .group(let values) = self { values } else { nil }
    }
}
