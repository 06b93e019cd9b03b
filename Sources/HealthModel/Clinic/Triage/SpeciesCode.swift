/// The species that triage and the services of a practice distinguish; the raw values are stored.
///
/// The code is derived from the free text of a record with a fixed table of names. A name that is not in the table has
/// no code: it is not guessed, and triage asks.
package enum SpeciesCode: String, CaseIterable, Hashable, Sendable {
    case dog
    case cat
    case rabbit
    case guineaPig
    case ferret
    case horse
    case bird
    case reptile
    /// A species that the table knows and that is none of those above, such as a hamster.
    case other
}

extension SpeciesCode {
    /// Returns the code of a common name in English, German, French or Spanish, whatever its case and accents; nil if
    /// the name is not in the table.
    package init?(name: String) {
        guard let code = SpeciesCode.codes[FoldedName(name)] else { return nil }
        self = code
    }

    private static let codes: [FoldedName: SpeciesCode] = {
        var codes: [FoldedName: SpeciesCode] = [:]
        for code in allCases { for name in code.names { codes[FoldedName(name)] = code } }
        return codes
    }()
}
