/// A surgery that was done.
package enum Surgery {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let information = Field(2, "information", "Information", .text(maximum: Limits.paragraphs))
    package static let place = Field(3, "place", "Place", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 32,
        name: "surgery",
        label: "Surgery",
        plural: "Surgeries",
        section: .myhealth,
        fields: [name, information, place, SharedFields.codes],
        example: ["date": "2024-05-03", "name": "Castration", "place": "Two Rooms"]
    )
}
