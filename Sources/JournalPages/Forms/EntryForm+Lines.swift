internal import FoundationEssentials
internal import HealthModel

/// Where the form of an entry shows its fields, and the lines of its lists.
extension EntryForm {
    /// Returns a field as the layout of the kind shows it.
    func placed(_ field: FormField, _ path: FieldPath, _ content: EntryContent) -> FormField {
        var field = field
        let placement = layout.placement(of: path.name)
        field.isMore = placement == .more || placement == .kept
        if let names = layout.lines.first(where: { $0.contains(path.name) }) { field.line = FormLine(names[0]) }
        if kind == MeasuredValue.kind, [MeasuredValue.value, MeasuredValue.unit].contains(path.fields[0]),
            content.body[MeasuredValue.parts] != nil, content.body[MeasuredValue.value] == nil
        {
            // The values are those of the parts.
            field.isMore = true
        }
        guard let list = path.fields.first, layout.lists.contains(list.name), path.fields.count > 2 else {
            return field
        }
        let label = reader.words.label(list.label)
        field.line = FormLine(
            "\(list.name).\(path.fields[1].name)",
            label: "\(label) \(path.fields[1].label)",
            list: FormList(name: list.name, label: label)
        )
        field.label = reader.words.label(path.fields[path.fields.count - 1].label)
        // A line of a list that only programs fill in is shown as a whole.
        if placement == .kept { field.isMore = false }
        return field
    }

    /// Returns the fields; each list has a button that adds a line, up to the number that a form takes.
    func withAdditions(_ fields: [FormField]) -> [FormField] {
        let counts = Dictionary(grouping: fields.compactMap(\.line?.list?.name)) { $0 }
            .mapValues { name in Set(fields.compactMap { $0.line?.list?.name == name[0] ? $0.line?.name : nil }).count }
        return fields.map { field in
            guard let list = field.line?.list, counts[list.name, default: 0] < list.most else { return field }
            var field = field
            field.line?.list?.addition = reader.words["addLine.\(list.name)"]
            return field
        }
    }

    // MARK: - Lines

    /// Returns how many lines of a list were typed; a form has no more than the list may have.
    static func lineCount(of list: String, _ typed: [String: String]) -> Int {
        let indexes = typed.keys.compactMap { name -> Int? in
            let parts = name.split(separator: ".")
            return parts.count > 2 && parts[0] == list ? Int(parts[1]) : nil
        }
        return (indexes.filter { (0..<100).contains($0) }.max() ?? -1) + 1
    }

    /// Returns the typed values without the added lines that are empty; the lines behind one move up.
    ///
    /// The lines of stored items keep their places: an empty one removes its item.
    func withoutEmptyLines(_ typed: [String: String], _ content: EntryContent) -> [String: String] {
        var typed = typed
        for list in layout.lists {
            let stored = kind.fields.path(named: list).map { content.body.countOfItems($0) } ?? 0
            let count = EntryForm.lineCount(of: list, typed)
            var next = stored
            for index in stored..<max(stored, count) {
                let prefix = "\(list).\(index)."
                let line = typed.filter { $0.key.hasPrefix(prefix) }
                for name in line.keys { typed[name] = nil }
                guard line.values.contains(where: { !$0.withoutOuterSpaces.isEmpty }) else { continue }
                for (name, value) in line { typed["\(list).\(next).\(name.dropFirst(prefix.count))"] = value }
                next += 1
            }
        }
        return typed
    }

    /// Returns the typed values with an empty line more in the list whose button was pressed.
    func withAddedLine(_ typed: [String: String], _ content: EntryContent) -> [String: String] {
        guard let list = typed["step"], layout.lists.contains(list), let path = kind.fields.path(named: list),
            let item = path.fields.last?.item(0), case .group(let fields) = item.type, let first = fields.first
        else { return typed }
        var typed = typed
        let count = max(content.body.countOfItems(path), EntryForm.lineCount(of: list, typed))
        if count < FormList.mostLines { typed["\(list).\(count).\(first.name)"] = "" }
        return typed
    }

    /// Whether the button was pressed that adds a line to a list of the form.
    package func addsLine(_ typed: [String: String]) -> Bool { typed["step"].map(layout.lists.contains) ?? false }

    /// Empties the items of which only an id remains, which nobody typed.
    func removeEmptyLines(from content: inout EntryContent) {
        for list in layout.lists {
            guard let path = kind.fields.path(named: list), case .list(let items)? = content.body[path] else {
                continue
            }
            content.body[path] = .list(
                items.map { item in
                    guard case .group(let values) = item, let field = path.fields.last?.item(0),
                        case .group(let fields) = field.type
                    else { return item }
                    let isEmpty = fields.allSatisfy { field in
                        if case .id = field.type { true } else { values[field] == nil }
                    }
                    return isEmpty ? .group(FieldValues()) : item
                }
            )
        }
    }

    // MARK: - Moments

    /// Returns the moment that an input of a date and a time means, as it is stored.
    ///
    /// A text with an offset from UTC, which no browser sends, is returned unchanged.
    func instant(_ text: String) throws(ModelError) -> String {
        guard let wall = try? WallMoment(parsing: text), let time = wall.time else { return text }
        let instants = wall.day.instants(atSecond: Int64(time.minutes) * 60, in: reader.zone)
        guard let first = instants.first else {
            throw ModelError(
                .invalid,
                "there was no \(time.description) on that day: the clocks (\(reader.zone.identifier)) were set forward over it"
            )
        }
        guard instants.count == 1 else {
            throw ModelError(.invalid, Message(verbatim: reader.words["momentTwice", time.description]))
        }
        return first.description
    }
}

extension FieldValues {
    /// The number of items of the list at a path.
    func countOfItems(_ path: FieldPath) -> Int {
        if case .list(let items)? = self[path] { items.count } else { 0 }
    }
}
