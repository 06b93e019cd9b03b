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
            guard let field = found.last?.item(named: part) ?? fields.first(where: { $0.name == part }) else {
                return nil
            }
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

extension Field {
    /// The field of one item of a list: its number is the index from 0; nil for a field that is not a list.
    package func item(_ index: Int) -> Field? {
        guard case .list(let type, let maximum) = type, (0..<maximum).contains(index) else { return nil }
        return Field(UInt32(index), String(index), String(index + 1), type)
    }

    fileprivate func item(named name: Substring) -> Field? {
        Int(name).flatMap { String($0) == name ? item($0) : nil }
    }
}

extension FieldValues {
    /// The paths to all values, and to the values that can be added: those of `leaves`, with the fields of each item of
    /// a list of groups, and of one item more.
    package func inputs(of fields: [Field]) -> [FieldPath] {
        fields.leaves.flatMap { path -> [FieldPath] in
            guard let list = path.fields.last, case .list(.group, _) = list.type else { return [path] }
            let count = if case .list(let values)? = self[path] { values.count } else { 0 }
            return (0...count).compactMap { list.item($0) }
                .flatMap { item in
                    [item].leaves.map { FieldPath(fields: path.fields + $0.fields) }
                }
        }
    }

    /// Removes the empty groups of lists, which remain when the values of a place are cleared one by one.
    package mutating func removeEmptyItems(of fields: [Field]) {
        for case (let path, .list(let values)?) in fields.leaves.map({ ($0, self[$0]) }) {
            self[path] = .list(values.filter { $0 != .group(FieldValues()) })
        }
    }

    /// The value at a path through groups.
    package subscript(path: FieldPath) -> FieldValue? {
        get { self[path.fields[...]] }
        set { self[path.fields[...]] = newValue }
    }

    private subscript(path: ArraySlice<Field>) -> FieldValue? {
        get {
            guard let field = path.first else { return nil }
            let inner = path.dropFirst()
            if case .list(let values)? = self[field], let item = inner.first {
                guard values.indices.contains(Int(item.number)) else { return nil }
                let place = inner.dropFirst()
                guard case .group(let group) = values[Int(item.number)] else {
                    return place.isEmpty ? values[Int(item.number)] : nil
                }
                return place.isEmpty ? .group(group) : group[place]
            }
            return inner.isEmpty ? self[field] : group(field)?[inner]
        }
        set {
            guard let field = path.first else { return }
            let inner = path.dropFirst()
            if inner.isEmpty {
                self[field] = newValue
            } else if case .list(let type, _) = field.type, let item = inner.first {
                setItem(Int(item.number), of: field, type, inner.dropFirst(), newValue)
            } else {
                var values = group(field) ?? FieldValues()
                values[inner] = newValue
                self[field] = .group(values)
            }
        }
    }

    /// Sets a value of a list, or a value in a group of a list; the index after the last one appends.
    private mutating func setItem(
        _ index: Int,
        of field: Field,
        _ type: FieldType,
        _ inner: ArraySlice<Field>,
        _ newValue: FieldValue?
    ) {
        var values: [FieldValue] = if case .list(let values)? = self[field] { values } else { [] }
        guard index <= values.count else { return }
        var value = newValue
        if !inner.isEmpty {
            var group = FieldValues()
            if index < values.count, case .group(let known) = values[index] { group = known }
            group[inner] = newValue
            value = .group(group)
        } else if case .group = type, newValue == nil {
            // Removed with the other empty groups, so that the indexes of this change stay the same.
            value = .group(FieldValues())
        }
        values.replaceSubrange(index..<min(index + 1, values.count), with: value.map { [$0] } ?? [])
        self[field] = .list(values)
    }

    /// The number of values of the list that a path leads into; nil if it leads into none.
    package func countOfList(at path: FieldPath) -> (index: Int, count: Int)? {
        for (place, field) in path.fields.enumerated().dropLast() {
            guard case .list = field.type else { continue }
            let list = self[path.fields[...place]]
            let count = if case .list(let values)? = list { values.count } else { 0 }
            return (Int(path.fields[place + 1].number), count)
        }
        return nil
    }
}
