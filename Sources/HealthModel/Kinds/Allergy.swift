/// An allergy of the subject.
package enum Allergy {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    package static let information = Field(2, "information", "Information", .text(maximum: Limits.paragraphs))

    package static let kind = Kind(
        code: 14,
        name: "allergy",
        label: "Allergy",
        plural: "Allergies",
        section: .myhealth,
        fields: [name, information, SharedFields.ended, SharedFields.codes],
        isUrgent: true,
        isTimeless: true,
        example: ["name": "Penicillin", "information": "rash"]
    )
}
