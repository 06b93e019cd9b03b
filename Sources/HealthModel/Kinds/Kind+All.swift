extension Kind {
    /// Every kind there is, in the order in which a record shows them.
    package static let all: [Kind] = [
        Blood.kind,
        Drug.kind,
        Vaccination.kind,
        Allergy.kind,
        Illness.kind,
        Risk.kind,
        History.kind,
        Document.kind,
        Doctor.kind,
        Weight.kind,
        Cost.kind,
        EmergencyContact.kind,
    ]

    /// The kind of a name in JSON or on the command line.
    package static func named(_ name: String) -> Kind? { byName[name] }

    /// The kind of a code in a frame's header.
    package static func coded(_ code: UInt16) -> Kind? { byCode[code] }

    private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
    private static let byCode = Dictionary(all.map { ($0.code, $0) }) { first, _ in first }

    /// The field of a name, or of a path into a group such as `address.city`.
    package func field(named path: String) -> Field? { fields.path(named: path)?.fields.last }
}
