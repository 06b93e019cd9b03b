import HealthModel

/// The names of code systems, for the addresses by which FHIR tells them apart (https://terminology.hl7.org/CodeSystem).
enum CodeSystems {
    private static let names = [
        "http://loinc.org": "LOINC",
        "http://snomed.info/sct": "SNOMED CT",
        "http://unitsofmeasure.org": "UCUM",
        "http://www.nlm.nih.gov/research/umls/rxnorm": "RxNorm",
        "http://www.whocc.no/atc": "ATC",
        "http://hl7.org/fhir/sid/cvx": "CVX",
        "http://hl7.org/fhir/sid/ndc": "NDC",
        "http://hl7.org/fhir/sid/icd-9-cm": "ICD-9-CM",
        "http://hl7.org/fhir/sid/icd-10": "ICD-10",
        "http://hl7.org/fhir/sid/icd-10-cm": "ICD-10-CM",
        "http://fhir.de/CodeSystem/bfarm/icd-10-gm": "ICD-10-GM",
        "http://fhir.de/CodeSystem/bfarm/atc": "ATC",
    ]

    /// Returns the name of a system; of one that is not known, its address.
    static func name(of address: String) -> String { names[address] ?? address }
}

extension EntryContent {
    /// The codes for what the entry names, such as `RxNorm 834061`, with their meanings where these are not `what`; nil if it
    /// has none.
    func codes(besides what: String) -> String? {
        guard case .list(let codes)? = body[SharedFields.codes] else { return nil }
        return
            codes.compactMap { code -> String? in
                guard case .group(let values) = code else { return nil }
                let meaning = values.text(SharedFields.display).flatMap { $0 == what ? nil : "(\($0))" }
                let system = values.text(SharedFields.system).map(CodeSystems.name)
                return [system, values.text(SharedFields.code), meaning].compactMap(\.self).joined(separator: " ")
            }
            .joined(separator: ", ")
    }
}
