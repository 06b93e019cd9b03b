import HealthModel

extension PurusKeys {
    static func profile(of subject: Subject) -> PurusKeys {
        subject == .animal ? animal : human
    }

    private static let human = PurusKeys(
        own: [
            PurusKey("isPet", .isPet),
            PurusKey("personalFamilyName", "familyName"),
            PurusKey("personalGivenName", "givenName"),
            PurusKey("personalNickName", "nickName"),
            PurusKey("personalGender", .sex),
            PurusKey("personalBirthdate", .birthdate),
            PurusKey("personalSocialSecurityNumber", "socialSecurityNumber"),
            PurusKey("personalAddress", "address"),
            PurusKey("personalHealthInsurance", "healthInsurance"),
            PurusKey("personalHealthInsuranceNumber", "healthInsuranceNumber"),
            PurusKey("personalEmployer", "employer"),
        ],
        further: [birthday],
        fields: RecordProfile.fields(for: .human)
    )

    private static let animal = PurusKeys(
        own: [
            PurusKey("isPet", .isPet),
            PurusKey("personalName", "name"),
            PurusKey("personalAnimalID", "animalID"),
            PurusKey("petBreed", "breed"),
            PurusKey("petColor", "color"),
            PurusKey("personalBirthdate", .birthdate),
            PurusKey("personalGender", .sex),
            PurusKey("ownerName", "owner.name"),
            PurusKey("ownerPhone", "owner.phone"),
            PurusKey("ownerEmail", "owner.email"),
            PurusKey("vetClinicName", "vet.clinicName"),
            PurusKey("vetContactName", "vet.contactName"),
            PurusKey("vetPhone", "vet.phone"),
            PurusKey("vetEmail", "vet.email"),
            PurusKey("vetAddress", "vet.address"),
            PurusKey("vetNote", "vet.note"),
        ],
        further: [birthday],
        fields: RecordProfile.fields(for: .animal)
    )

    /// The key of the day of birth, written if the birthdate is not midnight in UTC: the day as first read, independent
    /// of the present zone.
    static let birthdayName = "personalBirthdateDay"
    private static let birthday = PurusKey(birthdayName, "birthdate")

    /// All keys of a record of either subject.
    static let profileNames = Set(human.byName.keys).union(animal.byName.keys)
    /// Keys that only records of animals have.
    static let animalNames = Set(animal.own.map(\.name)).subtracting(human.own.map(\.name))
    static let humanNames = Set(human.own.map(\.name)).subtracting(animal.own.map(\.name))
}
