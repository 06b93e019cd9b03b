/// A vaccination that was given.
package enum Vaccination {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let information = Field(2, "information", "Information", .text(maximum: Limits.paragraphs))
    package static let place = Field(3, "place", "Place", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 13,
        name: "vaccination",
        label: "Vaccination",
        plural: "Vaccinations",
        section: .myhealth,
        fields: [name, information, place, SharedFields.codes],
        example: ["date": "2024-10-08", "name": "Influenza", "place": "Pharmacy"]
    )
}
