/// A name that completes what a person typed.
package struct NameSuggestion: Hashable, Sendable {
    package enum Source: String, CaseIterable, Hashable, Sendable {
        /// A name that the record contains.
        case own
        case substance
        /// A class of substances, such as `statin`.
        case group = "class"
    }

    package var name: String
    package var source: Source
    /// The substance that the name refers to; nil if no list contains it.
    package var substance: String?
    package var code: String?
    package var classes: [String]

    package init(name: String, source: Source, substance: String? = nil, code: String? = nil, classes: [String] = []) {
        self.name = name
        self.source = source
        self.substance = substance
        self.code = code
        self.classes = classes
    }

    package static let maximum = 8
    /// The maximum length of the typed text, in UTF-8 bytes.
    package static let maximumText = Limits.line
}

extension NameCatalogue {
    /// Returns up to eight names that complete a text.
    ///
    /// Names with a word that begins with the text come before those that do so but for one typing error, which is
    /// allowed from four letters on. In both groups, names of the record (`own`, the most recent first) come before
    /// substances, and these before classes. Case and accents make no difference. A name that occurs twice is returned
    /// once. `listsToo` is false if only names of the record are wanted.
    package func suggest(_ text: String, own: [String], listsToo: Bool = true) -> [NameSuggestion] {
        let query = NameQuery(text)
        let ownIndex = NameIndex(own.lazy.map { [$0] })
        var found: [NameSuggestion] = []
        var seen: Set<FoldedName> = []
        for mistyped in query.allowsError ? [false, true] : [false] {
            func add(_ index: NameIndex, _ suggestion: (NameIndex.Match) -> NameSuggestion) {
                // As many as are missing, and those that were found before.
                let limit = NameSuggestion.maximum + seen.count
                for match in index.matches(query, mistyped: mistyped, limit: limit) {
                    guard found.count < NameSuggestion.maximum else { return }
                    let suggestion = suggestion(match)
                    if seen.insert(FoldedName(suggestion.name)).inserted { found.append(suggestion) }
                }
            }
            add(ownIndex) { ownSuggestion(own[$0.item]) }
            guard listsToo else { continue }
            add(substanceIndex) { match in
                let name = substances[match.item].names[match.name]
                let known = substance(of: FoldedName(name))
                return NameSuggestion(
                    name: name.capitalisedFirst,
                    source: .substance,
                    substance: known?.name,
                    code: substances[match.item].code,
                    classes: classes(of: known?.name)
                )
            }
            add(classIndex) { NameSuggestion(name: classes[$0.item], source: .group) }
        }
        return found
    }

    private func ownSuggestion(_ name: String) -> NameSuggestion {
        let known = substance(of: FoldedName(name))
        return NameSuggestion(
            name: name,
            source: .own,
            substance: known?.name,
            code: known?.code,
            classes: classes(of: known?.name)
        )
    }

    private func classes(of substance: String?) -> [String] {
        substance.flatMap { self.substance(named: FoldedName($0)) }?.classes ?? []
    }
}
