/// All lists of names that a journal has, with an index of them.
///
/// It is built once for a set of lists.
package struct NameCatalogue: Sendable {
    /// Those of loaded lists last.
    package let substances: [Substance]
    /// In alphabetical order.
    package let classes: [String]
    let substanceIndex: NameIndex
    let classIndex: NameIndex
    private let places: [FoldedName: Int]

    /// The catalogue of the bundled list alone.
    package static let bundled = NameCatalogue()

    /// Creates the catalogue of the bundled list and the loaded ones.
    package init(loaded: [[Substance]] = []) {
        let bundled = Substance.bundled
        // Common substances first, so that they are suggested first.
        substances = bundled.filter(\.isCommon) + bundled.filter { !$0.isCommon } + loaded.joined()
        classes = Set(bundled.flatMap(\.classes)).sorted()
        substanceIndex = NameIndex(substances.lazy.map(\.names))
        classIndex = NameIndex(classes.lazy.map { [$0] })
        var places: [FoldedName: Int] = [:]
        for (place, substance) in substances.enumerated() {
            for name in substance.names where places[FoldedName(name)] == nil { places[FoldedName(name)] = place }
        }
        self.places = places
    }

    /// Returns the substance or product with a name; nil if no list has it.
    package func substance(named name: FoldedName) -> Substance? { places[name].map { substances[$0] } }

    /// Returns the substance that a name refers to, with the code of a loaded list.
    ///
    /// The substance of a product is the first of its synonyms that is a bundled name, or else the product itself.
    package func substance(of name: FoldedName) -> (name: String, code: String?)? {
        guard let found = substance(named: name) else { return nil }
        guard found.classes.isEmpty else { return (found.name, found.code) }
        for synonym in found.synonyms {
            if let known = substance(named: FoldedName(synonym)), !known.classes.isEmpty {
                return (known.name, found.code)
            }
        }
        return (found.name, found.code)
    }

    /// The names that a page offers before anything was typed, in alphabetical order.
    package static let common = Substance.bundled.filter(\.isCommon).map { $0.name.capitalisedFirst }
}

extension String {
    /// The text with its first letter in upper case, as names are shown.
    package var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
