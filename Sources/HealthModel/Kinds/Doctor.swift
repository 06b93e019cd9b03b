/// A doctor, therapist or clinic that treats the subject.
package enum Doctor {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let specialty = Field(2, "specialty", "Specialty", .text(maximum: Limits.line))
    package static let type = Field(3, "type", "Type", .text(maximum: Limits.line))
    package static let contactName = Field(4, "contactName", "Contact", .text(maximum: Limits.line))
    package static let phone = Field(5, "phone", "Phone", .text(maximum: Limits.phone))
    package static let email = Field(6, "email", "E-mail", .text(maximum: Limits.email))
    package static let address = Field(
        7,
        "address",
        "Address",
        .group([addressText, street, city, state, zipCode, country])
    )
    /// The identifier in the address book of the device from which the doctor was imported.
    package static let contactIdentifier = Field(
        8,
        "contactIdentifier",
        "Contact identifier",
        .text(maximum: Limits.line)
    )
    package static let isImportedFromContacts = Field(9, "isImportedFromContacts", "Imported from contacts", .flag)

    // The parts of the address. A source that gives the address as a single text sets only `addressText`.
    package static let addressText = Field(1, "text", "Text", .text(maximum: Limits.line))
    package static let street = Field(2, "street", "Street", .text(maximum: Limits.line))
    package static let city = Field(3, "city", "City", .text(maximum: Limits.line))
    package static let state = Field(4, "state", "State", .text(maximum: Limits.line))
    package static let zipCode = Field(5, "zipCode", "Postal code", .text(maximum: Limits.line))
    package static let country = Field(6, "country", "Country", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 19,
        name: "doctor",
        label: "Doctor",
        plural: "Doctors",
        section: .doctorlist,
        fields: [name, specialty, type, contactName, phone, email, address, contactIdentifier, isImportedFromContacts],
        isTimeless: true,
        example: [
            "name": "Dr. Ines Okafor", "specialty": "General practice", "phone": "+41 31 555 01 10",
            "address.street": "Lindenweg 4", "address.city": "Bern", "address.zipCode": "3000",
        ]
    )
}
