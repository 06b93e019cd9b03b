import FoundationEssentials
import HealthModel

extension FHIR {
    /// The members of a Patient that describe its subject.
    struct PatientMembers {
        var name: JSONValue?
        var gender: JSONValue?
        var birthDate: JSONValue?
        var address: JSONValue?
        /// The chip of an animal.
        var identifiers: [JSONValue] = []
        var extensions: [JSONValue] = []

        init(_ profile: RecordProfile) {
            let values = profile.values
            name = FHIR.names(profile)
            gender = values.text(RecordProfile.sex).map { .string($0 == "notApplicable" ? "unknown" : $0) }
            birthDate = values.partialDate(RecordProfile.birthdate).map { .string("\($0)") }
            address = values.text(RecordProfile.address).map { [["text": .string($0)]] }
            if let chip = values.text(RecordProfile.animalID) {
                identifiers.append(["type": ["text": "Microchip number"], "value": .string(chip)])
            }
            if profile.subject == .animal {
                let breed = values.text(RecordProfile.breed)
                extensions.append(FHIR.animal(species: values.text(RecordProfile.species), breed: breed))
            }
        }

        /// A patient of whom only the name and the species are known.
        init(name: String, species: String?) {
            self.name = .notEmpty(name).map { [["text": $0]] }
            extensions = [FHIR.animal(species: species, breed: nil)]
        }
    }

    private static func names(_ profile: RecordProfile) -> JSONValue? {
        let values = profile.values
        func text(_ field: Field) -> String? { values.text(field) }
        let official: JSONValue? =
            switch profile.subject {
            case .animal: text(RecordProfile.name).map { ["use": "usual", "text": .string($0)] }
            case .human:
                if text(RecordProfile.familyName) == nil, text(RecordProfile.givenName) == nil {
                    nil
                } else {
                    .present([
                        "use": "official", "family": text(RecordProfile.familyName).map { .string($0) },
                        "given": text(RecordProfile.givenName).map { [.string($0)] },
                    ])
                }
            }
        let nickname: JSONValue? = text(RecordProfile.nickName).map { ["use": "nickname", "text": .string($0)] }
        return .list([official, nickname].compactMap(\.self))
    }

    /// The extension patient-animal, which demands a species (https://hl7.org/fhir/R4/extension-patient-animal.html).
    private static func animal(species: String?, breed: String?) -> JSONValue {
        let unknown: JSONValue = [
            "coding": [
                ["system": .string(System.dataAbsent), "code": "unknown", "display": "Unknown"]
            ]
        ]
        let parts: [(String, JSONValue?)] = [("species", concept(species) ?? unknown), ("breed", concept(breed))]
        return [
            "extension": .array(
                parts.compactMap { name, value in
                    value.map { ["url": .string(name), "valueCodeableConcept": $0] }
                }
            ), "url": "http://hl7.org/fhir/StructureDefinition/patient-animal",
        ]
    }
}
