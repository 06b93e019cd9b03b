extension Kind {
    /// All kinds, in the order in which a record shows them.
    package static let all: [Kind] = [
        Blood.kind,
        Drug.kind,
        Supplement.kind,
        Dose.kind,
        Supply.kind,
        Meal.kind,
        Interaction.kind,
        Vaccination.kind,
        Allergy.kind,
        Illness.kind,
        Symptom.kind,
        Risk.kind,
        Surgery.kind,
        History.kind,
        Document.kind,
        Doctor.kind,
        Weight.kind,
        MeasuredValue.kind,
        Cost.kind,
        EmergencyContact.kind,
        Zone.kind,
        Foreign.kind,
    ]

    /// The kinds whose entries are values of a name over time.
    package static let values: [Kind] = [Weight.kind, MeasuredValue.kind, Blood.kind, Symptom.kind]

    /// Returns the kind with a name from JSON or the command line, or nil.
    package static func named(_ name: String) -> Kind? { byName[name] }

    /// Returns the kind with a code from a frame's header, or nil.
    package static func coded(_ code: UInt16) -> Kind? { code < byCode.count ? byCode[Int(code)] : nil }

    /// Returns the kind with a name, a label or a plural that a person typed, such as `drug`, `medication` or
    /// `blood-values`; or nil.
    package static func typed(_ text: String) -> Kind? {
        let name = FoldedName(text)
        return named(text) ?? all.first { FoldedName($0.label) == name || FoldedName($0.plural) == name }
    }

    /// The word that people read and type on the command line: the label in lower case.
    package var word: String { label.lowercased() }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    private static let byCode: [Kind?] = {
        var kinds = [Kind?](repeating: nil, count: Int(all.map(\.code).max() ?? 0) + 1)
        for kind in all { kinds[Int(kind.code)] = kind }
        return kinds
    }()

    /// Returns the field with a name or with a path into a group, such as `address.city`, or nil.
    package func field(named path: String) -> Field? { fields.path(named: path)?.fields.last }
}
