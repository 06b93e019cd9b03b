import FoundationEssentials
import HealthModel

/// Reads the profile of a record from a Patient.
enum FHIRPatient {
    /// The extension by which a Patient is an animal.
    static let animal = "http://hl7.org/fhir/StructureDefinition/patient-animal"

    /// The record that a Patient is, according to an identifier that a journal gave it.
    static func record(of patient: FHIRElement) -> UUID? {
        guard case .array(let identifiers)? = patient.value["identifier"] else { return nil }
        return identifiers.lazy
            .compactMap { identifier -> UUID? in
                guard identifier["system"] == .string(FHIR.recordSystem),
                    case .string(let text)? = identifier["value"]
                else { return nil }
                return UUID(uuidString: text)
            }
            .first
    }

    static func profile(of patient: FHIRElement) throws -> RecordProfile {
        let animal = try patient.objects("extension").first { $0.value["url"] == .string(FHIRPatient.animal) }
        var profile = RecordProfile(subject: animal == nil ? .human : .animal)
        func set(_ field: Field, _ text: String?) {
            guard let text = text?.asReceived(isLine: true), text.utf8.count <= Limits.line else { return }
            profile.values[field] = .text(text)
        }
        try takeNames(patient, set)
        if let text = try patient.text("birthDate"), let date = try? PartialDate(parsing: text) {
            profile.values[RecordProfile.birthdate] = FieldValue(date)
        }
        if let gender = try patient.text("gender"), ["male", "female", "other"].contains(gender) {
            set(RecordProfile.sex, gender)
        }
        if let animal {
            for part in try animal.objects("extension") {
                let text = try part.object("valueCodeableConcept").map(words) ?? nil
                switch try part.text("url") {
                case "species": set(RecordProfile.species, text)
                case "breed": set(RecordProfile.breed, text)
                default: break
                }
            }
            for identifier in try patient.objects("identifier") {
                let type = try identifier.object("type")?.conceptText()?.lowercased() ?? ""
                if type.contains("microchip") { set(RecordProfile.animalID, try identifier.text("value")) }
            }
        } else {
            for identifier in try patient.objects("identifier") {
                guard let type = try identifier.object("type") else { continue }
                if try type.hasCode(["SS"]) { set(RecordProfile.socialSecurityNumber, try identifier.text("value")) }
                if try type.hasCode(["MB"]) {
                    set(RecordProfile.healthInsuranceNumber, try identifier.text("value"))
                    set(RecordProfile.healthInsurance, try identifier.object("assigner")?.text("display"))
                }
            }
            let address = try FHIRUse.current(patient.objects("address"), FHIRUse.addresses)
            if let address { set(RecordProfile.address, try text(of: address)) }
        }
        return try FHIRResidue(of: patient)?.applied(to: profile) ?? profile
    }

    /// The words of a concept, unless they only say that nothing is known.
    private static func words(_ concept: FHIRElement) throws -> String? {
        for coding in try concept.objects("coding") {
            if try coding.text("system") == FHIR.System.dataAbsent { return nil }
        }
        return try concept.conceptText()
    }

    private static func takeNames(_ patient: FHIRElement, _ set: (Field, String?) -> Void) throws {
        let names = try patient.objects("name")
        let isAnimal = try patient.objects("extension").contains { $0.value["url"] == .string(animal) }
        let first = try FHIRUse.current(names, FHIRUse.names.filter { $0 != "nickname" })
        if isAnimal {
            set(RecordProfile.name, try first.flatMap { name in try whole(name) })
            return
        }
        if let first {
            let given = try first.texts("given").joined(separator: " ")
            let family = try first.text("family")
            set(RecordProfile.givenName, given.isEmpty ? nil : given)
            set(RecordProfile.familyName, try family ?? (given.isEmpty ? first.text("text") : nil))
        }
        if let nick = try names.first(where: { name in try name.text("use") == "nickname" }) {
            set(RecordProfile.nickName, try whole(nick))
        }
    }

    private static func whole(_ name: FHIRElement) throws -> String? {
        if let text = try name.text("text") { return text }
        let parts = try name.texts("given") + [name.text("family")].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func text(of address: FHIRElement) throws -> String? {
        if let text = try address.text("text") { return text }
        let place = try [address.text("postalCode"), address.text("city")].compactMap(\.self).joined(separator: " ")
        let parts = try address.texts("line") + [place, address.text("state") ?? "", address.text("country") ?? ""]
        let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
        return text.isEmpty ? nil : text
    }
}
