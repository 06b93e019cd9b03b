/// A vaccination that was given.
package enum Vaccination {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let information = Field(2, "information", "Information", .text(maximum: Limits.paragraphs))
    package static let place = Field(3, "place", "Place", .text(maximum: Limits.line))
    /// The name of the vaccine, such as `Nobivac Rabies`.
    package static let product = Field(4, "product", "Product", .text(maximum: Limits.line))
    package static let manufacturer = Field(5, "manufacturer", "Manufacturer", .text(maximum: Limits.line))
    package static let lot = Field(6, "lot", "Lot", .text(maximum: Limits.line))
    /// The diseases from which it protects.
    package static let diseases = Field(
        7,
        "diseases",
        "Diseases",
        .list(of: .text(maximum: Limits.line), maximum: 20)
    )
    /// The number of the dose in its series.
    package static let doseNumber = Field(8, "doseNumber", "Dose number", .integer(1...100))
    package static let validUntil = Field(9, "validUntil", "Valid until", .partialDate)
    /// When the next dose is due.
    package static let nextDue = Field(10, "nextDue", "Next due", .partialDate)
    package static let givenBy = Field(11, "givenBy", "Given by", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 13,
        name: "vaccination",
        label: "Vaccination",
        plural: "Vaccinations",
        section: .myhealth,
        fields: [
            name, diseases, nextDue, validUntil, product, lot, manufacturer, doseNumber, givenBy, place, information,
            SharedFields.codes,
        ],
        example: ["date": "2024-10-08", "name": "Influenza", "place": "Pharmacy"]
    )
}
