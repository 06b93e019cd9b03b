/// The folded words of a text in which a search looks, kept one after another so that a scan allocates nothing.
package struct SearchText: Sendable {
    private(set) var letters: [Unicode.Scalar] = []
    /// The range of each word in `letters`.
    private(set) var words: [Range<Int>] = []

    package init() {}

    package init(_ text: String) {
        add(text)
    }

    /// Removes all words, and keeps the memory for the next text.
    package mutating func removeAll() {
        letters.removeAll(keepingCapacity: true)
        words.removeAll(keepingCapacity: true)
    }

    /// Appends the words of a text; letters and digits form words, and everything else separates them.
    package mutating func add(_ text: String) {
        var start = letters.count
        FoldedName.fold(text) { letter in
            if let letter {
                letters.append(letter)
            } else if start < letters.count {
                words.append(start..<letters.count)
                start = letters.count
            }
        }
    }

    /// Appends what people read in an entry: its kind, its date, its comment and the values of its fields.
    package mutating func add(_ content: EntryContent) {
        add(content.kind.label)
        add(content.kind.name)
        if let date = content.date { add(date.dayText) }
        add(content.comment)
        add(content.body, as: content.kind.fields)
    }

    /// Appends what people read in a profile.
    package mutating func add(_ profile: RecordProfile) {
        add(profile.subject.name)
        add(profile.values, as: RecordProfile.fields(for: profile.subject))
    }

    private mutating func add(_ values: FieldValues, as fields: [Field]) {
        for item in values.items {
            guard let field = fields.first(where: { $0.number == item.number }), field.format != .digest else {
                continue
            }
            add(item.value, as: field.type, label: field.label)
        }
    }

    private mutating func add(_ value: FieldValue, as type: FieldType, label: String) {
        switch value {
        case .text(let text): add(text)
        case .decimal(let decimal): add(decimal.description)
        case .integer(let integer): add(String(integer))
        // A property that applies is found by its name.
        case .flag(let flag): if flag { add(label) }
        case .day(let day): add(day.description)
        case .instant(let instant): add(Day(of: instant).description)
        case .id, .bytes: break
        case .group(let values): if case .group(let fields) = type { add(values, as: fields) }
        case .list(let values):
            if case .list(let type, _) = type { for value in values { add(value, as: type, label: label) } }
        }
    }
}
