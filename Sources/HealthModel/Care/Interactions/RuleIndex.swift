/// Rule sets prepared for checks: which names are known, and which rules apply to a substance.
package struct RuleIndex: Sendable {
    /// A substance or a class, as the rules of one set refer to it.
    struct Key: Hashable {
        /// The index of the set: two sets may have different classes of one name.
        let set: Int
        let term: InteractionRule.Term
    }

    /// A rule, with the index of its set.
    typealias Found = (set: Int, rule: InteractionRule)

    /// The sets, by their names.
    package let sets: [RuleSet]
    /// Lists of names in several languages, and of products, by which the rules' substances are also known.
    package var names: NameCatalogue?
    private let synonyms: [FoldedName: FoldedName]
    private let known: Set<FoldedName>
    /// The classes that contain a substance.
    private let groups: [FoldedName: [Key]]
    /// The rules that name a substance or a class, by the indexes of their sets and in them.
    private let rules: [Key: [(set: Int, rule: Int)]]
    private let places: [InteractionRule.Kind: [(set: Int, rule: Int)]]
    /// The classes that a rule about allergies names.
    private let allergyGroups: Set<Key>
    /// The names of all classes, and the foods of rules about allergies to food with their singulars.
    private let allergens: Set<FoldedName>

    package init(_ sets: some Sequence<RuleSet>) {
        self.sets = sets.sorted { $0.name < $1.name }
        var synonyms: [FoldedName: FoldedName] = [:]
        var known: Set<FoldedName> = []
        for set in self.sets { synonyms.merge(set.synonyms) { first, _ in first } }
        var groups: [FoldedName: [Key]] = [:]
        var rules: [Key: [(set: Int, rule: Int)]] = [:]
        var places: [InteractionRule.Kind: [(set: Int, rule: Int)]] = [:]
        var allergyGroups: Set<Key> = []
        var allergens: Set<FoldedName> = []
        for (number, set) in self.sets.enumerated() {
            for (name, members) in set.classes.sorted(by: { $0.key < $1.key }) {
                allergens.formUnion([FoldedName(name), FoldedName(name).singular])
                for member in members {
                    let substance = RuleIndex.resolve(member, synonyms)
                    known.insert(substance)
                    groups[substance, default: []].append(Key(set: number, term: .group(name)))
                }
            }
            for (index, rule) in set.rules.enumerated() {
                places[rule.kind, default: []].append((number, index))
                for term in Set([rule.a, rule.b].compactMap(\.self)) {
                    if case .name(let name) = term { known.insert(RuleIndex.resolve(name, synonyms)) }
                    rules[Key(set: number, term: RuleIndex.resolve(term, synonyms)), default: []]
                        .append((number, index))
                    guard case .group(let name) = term else { continue }
                    if rule.kind == .allergy { allergyGroups.insert(Key(set: number, term: term)) }
                    if rule.kind == .foodAllergy {
                        for member in set.classes[name] ?? [] { allergens.formUnion([member, member.singular]) }
                    }
                }
            }
        }
        known.formUnion(synonyms.values)
        (self.synonyms, self.known, self.groups, self.rules) = (synonyms, known, groups, rules)
        (self.places, self.allergyGroups, self.allergens) = (places, allergyGroups, allergens)
    }

    package var isEmpty: Bool { sets.isEmpty }

    /// Returns the name that the rules use for a substance; if they do not know it, that of the lists of names.
    func resolve(_ name: FoldedName) -> FoldedName {
        let own = RuleIndex.resolve(name, synonyms)
        guard !known.contains(own), let listed = names?.substance(of: own) ?? names?.substance(of: name) else {
            return own
        }
        let main = FoldedName(listed.name)
        let all = [main] + (names?.substance(named: main)?.synonyms ?? []).map { FoldedName($0) }
        return all.lazy.map { RuleIndex.resolve($0, synonyms) }.first(where: known.contains) ?? main
    }

    private static func resolve(_ name: FoldedName, _ synonyms: [FoldedName: FoldedName]) -> FoldedName {
        var name = name
        // One set may rename what another set prefers; the number of steps ends a circle of names.
        for _ in 0..<4 {
            guard let other = synonyms[name] else { break }
            name = other
        }
        return name
    }

    private static func resolve(
        _ term: InteractionRule.Term,
        _ synonyms: [FoldedName: FoldedName]
    ) -> InteractionRule.Term {
        if case .name(let name) = term { .name(resolve(name, synonyms)) } else { term }
    }

    /// Whether a set knows a name, itself or as a synonym.
    package func isKnown(_ name: FoldedName) -> Bool { known.contains(resolve(name)) }

    /// Whether a set knows something that the name of an allergy names: a substance, a food or a class.
    func knows(allergy name: String) -> Bool {
        isKnown(FoldedName(name)) || !substances(in: name).isEmpty
            || !allergens.isDisjoint(with: FoldedName.phrases(of: name))
    }

    /// Whether some substances are in one class that a rule about allergies names, each by its keys.
    func shareAllergyGroup(_ one: Set<Key>, _ other: Set<Key>) -> Bool {
        one.contains { allergyGroups.contains($0) && other.contains($0) }
    }

    /// Returns the known substances that a text names, each once.
    package func substances(in text: String) -> [FoldedName] { parts(ofName: text, isMedication: false).known }

    /// Returns the keys under which rules name a substance: its own in each set, and those of its classes.
    func keys(of substance: FoldedName) -> Set<Key> {
        Set(sets.indices.map { Key(set: $0, term: .name(substance)) } + (groups[substance] ?? []))
    }

    /// Returns the names of the classes that contain a substance.
    func classes(of substance: FoldedName) -> [(set: Int, name: String)] {
        (groups[substance] ?? [])
            .compactMap { key in if case .group(let name) = key.term { (key.set, name) } else { nil } }
    }

    /// Returns the rules of a kind that name one of the keys, each once, in the order of the sets.
    func rules(_ kind: InteractionRule.Kind, naming keys: Set<Key>) -> [Found] {
        var found: Set<[Int]> = []
        for key in keys { for place in rules[key] ?? [] { found.insert([place.set, place.rule]) } }
        return found.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
            .map { (set: $0[0], rule: sets[$0[0]].rules[$0[1]]) }
            .filter { $0.rule.kind == kind }
    }

    /// Returns all rules of a kind, in the order of the sets.
    func rules(_ kind: InteractionRule.Kind) -> [Found] {
        (places[kind] ?? []).map { (set: $0.set, rule: sets[$0.set].rules[$0.rule]) }
    }

    /// Whether a term of a rule of a set is one of the keys.
    func names(_ term: InteractionRule.Term?, of set: Int, _ keys: Set<Key>) -> Bool {
        guard let term else { return false }
        return keys.contains(Key(set: set, term: RuleIndex.resolve(term, synonyms)))
    }

    /// Returns the names that a term of a rule covers: the members of a class, or one name.
    func members(of term: InteractionRule.Term, in set: Int) -> [FoldedName] {
        switch term {
        case .name(let name): [name, resolve(name)]
        case .group(let name): sets[set].classes[name] ?? []
        }
    }
}
