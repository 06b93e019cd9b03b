/// The path to a field through the groups that contain it.
package struct FieldPath: Hashable, Sendable {
    /// The groups from the outermost to the innermost, then the field itself.
    package let fields: [Field]

    /// The names joined with dots, such as `address.city`.
    package var name: String { fields.map(\.name).joined(separator: ".") }
    package var label: String { fields.map(\.label).joined(separator: ", ") }
}

extension [Field] {
    /// Returns the path to the field with a dotted name such as `address.city`, or nil.
    package func path(named name: String) -> FieldPath? {
        var found: [Field] = []
        var fields = self
        for part in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard let field = fields.first(where: { $0.name == part }) else { return nil }
            found.append(field)
            fields = if case .group(let inner) = field.type { inner } else { [] }
        }
        return FieldPath(fields: found)
    }

    /// The paths to all fields that are not groups, in order.
    package var leaves: [FieldPath] {
        flatMap { field -> [FieldPath] in
            guard case .group(let inner) = field.type else { return [FieldPath(fields: [field])] }
            return inner.leaves.map { FieldPath(fields: [field] + $0.fields) }
        }
    }
}

extension FieldValues {
    /// The value at a path through groups.
    package subscript(path: FieldPath) -> FieldValue? {
        get { self[path.fields[...]] }
        set { self[path.fields[...]] = newValue }
    }

    private subscript(path: ArraySlice<Field>) -> FieldValue? {
        get {
            guard let field = path.first else { return nil }
            let inner = path.dropFirst()
            return inner.isEmpty ? self[field] : group(field)?[inner]
        }
        set {
            guard let field = path.first else { return }
            let inner = path.dropFirst()
            if inner.isEmpty {
                self[field] = newValue
            } else {
                var values = group(field) ?? FieldValues()
                values[inner] = newValue
                self[field] = .group(values)
            }
        }
    }
}
