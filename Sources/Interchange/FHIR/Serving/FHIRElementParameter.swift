/// A search parameter that looks at elements of a resource (https://hl7.org/fhir/R4/searchparameter-registry.html).
enum FHIRElementParameter: Sendable {
    /// Codes in one of the elements.
    case token([String])
    /// A date or a period; of an element of several types, the name without the type.
    case date(String)
    /// Parts of the names of a Patient.
    case name([String])

    /// The parameters of all types but Patient.
    private static let common: [String: FHIRElementParameter] = [
        "code": .token(["code", "vaccineCode", "medicationCodeableConcept"]), "vaccine-code": .token(["vaccineCode"]),
        "category": .token(["category"]), "status": .token(["status"]), "type": .token(["type"]),
        "clinical-status": .token(["clinicalStatus"]), "identifier": .token(["identifier"]),
    ]
    /// The parameters of single types.
    private static let special: [String: [String: FHIRElementParameter]] = [
        "AllergyIntolerance": ["criticality": .token(["criticality"])],
        "Condition": ["onset-date": .date("onset")],
        "Encounter": ["class": .token(["class"])],
        "MedicationRequest": ["authoredon": .date("authoredOn")],
        "Patient": [
            "identifier": .token(["identifier"]), "gender": .token(["gender"]),
            "name": .name(["text", "family", "given"]), "family": .name(["family"]), "given": .name(["given"]),
        ],
    ]

    /// The parameter of a type, nil for all types; nil if there is no such parameter.
    static func of(_ name: String, _ type: String?) -> FHIRElementParameter? {
        type.flatMap { special[$0]?[name] } ?? (type == "Patient" ? nil : common[name])
    }

    /// The names of the parameters of a type.
    static func names(of type: String) -> [String] {
        (special[type].map { Array($0.keys) } ?? []).sorted() + (type == "Patient" ? [] : common.keys.sorted())
    }

    /// The type of the parameter, for the description of the service.
    var type: String {
        switch self {
        case .token: "token"
        case .date: "date"
        case .name: "string"
        }
    }
}
