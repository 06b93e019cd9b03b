package import FoundationEssentials
package import HealthModel
package import Interchange

/// Finds an entry of the record that states the same as a new one, and came from another source.
package struct AlikeEntries {
    private var entries: [Likeness: UUID] = [:]

    /// Indexes the entries that the record has and the document does not contain.
    package init(_ known: [EntryState], besides document: [ImportedEntry]) {
        guard !known.isEmpty else { return }
        let own = Set(document.map(\.id))
        for entry in known where !entry.isRetracted && !own.contains(entry.id) {
            for likeness in Likeness.all(of: entry.content) { entries[likeness] = entry.id }
        }
    }

    package func entry(alike content: EntryContent) -> UUID? {
        if entries.isEmpty { return nil }
        return Likeness.all(of: content).lazy.compactMap { entries[$0] }.first
    }
}

/// What two entries have in common that state the same: the kind, the day, and a name or a code, with the values.
private struct Likeness: Hashable {
    private let kind: Kind
    private let day: Day?
    private let parts: [Part]

    private enum Part: Hashable {
        case number(ExactDecimal)
        case words(FoldedName)
        case code(system: String, code: String)

        init?(_ value: FieldValue?) {
            guard let text = value?.shownText else { return nil }
            if let number = try? ExactDecimal(parsing: text) {
                self = .number(number)
            } else {
                self = .words(FoldedName(text))
            }
        }
    }

    /// Returns the likenesses of an entry, by its name and by each of its codes; none of an entry that states too little.
    static func all(of content: EntryContent) -> [Likeness] {
        let (kind, body) = (content.kind, content.body)
        // Many of these are alike, and none repeats what another one states.
        if [Foreign.kind, Interaction.kind, Document.kind].contains(kind) { return [] }
        let isName = { (field: Field) in field.name == "name" }
        let values = kind.summary.filter { !isName($0) }.compactMap { Part(body[$0]) }
        let codes = body.groups(SharedFields.codes)
            .compactMap { group -> Part? in
                guard let code = group.text(SharedFields.code), let system = group.text(SharedFields.system) else {
                    return nil
                }
                return .code(system: system, code: code)
            }
        let names = kind.summary.filter(isName).compactMap { Part(body[$0]) } + codes
        let subjects = names.isEmpty ? [values] : names.map { [$0] + values }
        return subjects.filter { !$0.isEmpty }.map { Likeness(kind: kind, day: content.date?.day, parts: $0) }
    }
}
