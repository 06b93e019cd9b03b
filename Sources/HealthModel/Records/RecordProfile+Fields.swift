extension RecordProfile {
    package static let birthdate = Field(1, "birthdate", "Date of birth", .dayOrPeriod)
    package static let sex = Field(2, "sex", "Sex", .choice(["male", "female", "other", "notApplicable"]))

    /// The time zone in which the subject lives; absent for the journal's own.
    package static let zone = Field(3, "zone", "Time zone", .zone)

    // The fields of a human.
    package static let familyName = Field(10, "familyName", "Family name", .text(maximum: Limits.line))
    package static let givenName = Field(11, "givenName", "Given name", .text(maximum: Limits.line))
    package static let nickName = Field(12, "nickName", "Nickname", .text(maximum: Limits.line))
    package static let socialSecurityNumber = Field(
        13,
        "socialSecurityNumber",
        "Social security number",
        .text(maximum: Limits.line)
    )
    package static let address = Field(14, "address", "Address", .text(maximum: Limits.line))
    package static let healthInsurance = Field(15, "healthInsurance", "Health insurance", .text(maximum: Limits.line))
    package static let healthInsuranceNumber = Field(
        16,
        "healthInsuranceNumber",
        "Health insurance number",
        .text(maximum: Limits.line)
    )
    package static let employer = Field(17, "employer", "Employer", .text(maximum: Limits.line))

    // The fields of an animal.
    package static let name = Field(20, "name", "Name", .text(maximum: Limits.line))
    package static let species = Field(21, "species", "Species", .text(maximum: Limits.line))
    /// The microchip number, unique within a journal.
    package static let animalID = Field(22, "animalID", "Microchip number", .text(maximum: Limits.line))
    package static let breed = Field(23, "breed", "Breed", .text(maximum: Limits.line))
    package static let color = Field(24, "color", "Color", .text(maximum: Limits.line))
    package static let owner = Field(
        25,
        "owner",
        "Owner",
        .group([
            Field(1, "name", "Name", .text(maximum: Limits.line)),
            Field(2, "phone", "Phone", .text(maximum: Limits.phone)),
            Field(3, "email", "E-mail", .text(maximum: Limits.email)),
        ])
    )
    package static let vet = Field(
        26,
        "vet",
        "Veterinarian",
        .group([
            Field(1, "clinicName", "Clinic", .text(maximum: Limits.line)),
            Field(2, "contactName", "Contact", .text(maximum: Limits.line)),
            Field(3, "phone", "Phone", .text(maximum: Limits.phone)),
            Field(4, "email", "E-mail", .text(maximum: Limits.email)),
            Field(5, "address", "Address", .text(maximum: Limits.line)),
            Field(6, "note", "Note", .text(maximum: Limits.paragraphs)),
        ])
    )

    /// Whether an animal is spayed or castrated.
    package static let isNeutered = Field(27, "isNeutered", "Neutered", .flag)

    /// Whether practices may open the emergency view by the microchip number.
    package static let isOpenToEmergencies = Field(28, "isOpenToEmergencies", "Emergency view by microchip", .flag)

    // Stored so that an import from Purus Health can be exported again unchanged; these fields grant no access.
    package static let isCloudEnabled = Field(40, "isCloudEnabled", "Cloud enabled", .flag)
    package static let isSharingEnabled = Field(41, "isSharingEnabled", "Sharing enabled", .flag)
    package static let cloudShareRecordName = Field(
        42,
        "cloudShareRecordName",
        "Cloud share",
        .text(maximum: Limits.line)
    )
    package static let recordLocation = Field(43, "recordLocation", "Record location", .text(maximum: Limits.line))

    /// Returns the profile fields of a subject, in display order.
    package static func fields(for subject: Subject) -> [Field] {
        switch subject {
        case .human: humanFields
        case .animal: animalFields
        }
    }

    private static let humanFields =
        [
            familyName, givenName, nickName, birthdate, sex, socialSecurityNumber, address, healthInsurance,
            healthInsuranceNumber, employer, zone,
        ] + kept
    private static let animalFields =
        [
            name, species, breed, color, animalID, isOpenToEmergencies, birthdate, sex, isNeutered, owner, vet, zone,
        ] + kept
    private static let kept = [isCloudEnabled, isSharingEnabled, cloudShareRecordName, recordLocation]
}

extension RecordProfile {
    /// The fields of a profile with this subject, in display order.
    package var fields: [Field] { Self.fields(for: subject) }

    /// The name of the subject for display, or a placeholder if the profile contains none.
    package var displayName: String {
        switch subject {
        case .human:
            let names = [values.text(Self.givenName), values.text(Self.familyName)].compactMap(\.self)
            return names.isEmpty ? Self.unnamedPerson : names.joined(separator: " ")
        case .animal:
            return values.text(Self.name) ?? Self.unnamedAnimal
        }
    }

    package static let unnamedPerson = "Unnamed Person"
    package static let unnamedAnimal = "Unnamed Pet"

    /// Sets a field such as `vet.email` from text; empty text clears it.
    package mutating func set(_ path: String, text: String) throws(ModelError) {
        try values.set(path, text: text, in: fields)
        inferred.removeAll { $0 == path }
    }
}
