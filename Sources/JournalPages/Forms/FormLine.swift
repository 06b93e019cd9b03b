/// A line of a form on which several fields stand beside each other.
package struct FormLine: Hashable, Sendable {
    /// The name that the fields of the line have in common; lines of a list are named by their index, such as `foods.0`.
    let name: String
    /// What the line is about, for those who hear the form; nil if the labels of its fields say it.
    var label: String?
    /// The list of such lines to which it belongs; nil for a line by itself.
    var list: FormList?

    init(_ name: String, label: String? = nil, list: FormList? = nil) {
        (self.name, self.label, self.list) = (name, label, list)
    }
}

/// A list of lines of a form, such as the foods of a meal, of which a person adds as many as are needed.
package struct FormList: Hashable, Sendable {
    let name: String
    let label: String
    /// The label of the button that adds a line; nil if there are as many as the form takes.
    var addition: String?
    /// The greatest number of lines.
    var most = FormList.mostLines

    /// The greatest number of lines in a form, which has at most 200 fields.
    static let mostLines = 40
}

/// Fields of a form as its template shows them: a list of lines, or a single line.
struct FormBlock: Sendable {
    let name: String
    let label: String
    let isList: Bool
    let addition: String?
    let most: String
    private(set) var lines: [Line] = []

    struct Line: Sendable {
        let name: String
        let label: String?
        /// Whether the fields stand beside each other.
        let isLine: Bool
        fileprivate(set) var fields: [FormField] = []
        /// The fields of the line that are shown on request.
        fileprivate(set) var more: More?
    }

    struct More: Sendable {
        fileprivate(set) var fields: [FormField] = []
        fileprivate(set) var isOpen = false
    }

    private init(_ field: FormField) {
        let list = field.line?.list
        name = list?.name ?? field.name
        (label, addition, isList) = (list?.label ?? "", list?.addition, list != nil)
        most = String(list?.most ?? 0)
    }

    /// Arranges fields in the order in which they are.
    static func blocks(of fields: [FormField]) -> [FormBlock] {
        var blocks: [FormBlock] = []
        for field in fields {
            if !(blocks.last?.takes(field) ?? false) { blocks.append(FormBlock(field)) }
            blocks[blocks.count - 1].add(field)
        }
        return blocks
    }

    private func takes(_ field: FormField) -> Bool {
        guard let line = field.line else { return false }
        return isList ? line.list?.name == name : line.list == nil && lines.last?.name == line.name
    }

    private mutating func add(_ field: FormField) {
        let name = field.line?.name ?? field.name
        if lines.last?.name != name {
            lines.append(Line(name: name, label: field.line?.label, isLine: field.line != nil))
        }
        let last = lines.count - 1
        guard isList, field.isMore else {
            lines[last].fields.append(field)
            return
        }
        var more = lines[last].more ?? More()
        more.fields.append(field)
        more.isOpen = more.isOpen || field.isNeeded
        lines[last].more = more
    }
}
