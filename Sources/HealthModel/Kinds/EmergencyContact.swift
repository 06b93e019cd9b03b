/// A person to call in an emergency.
package enum EmergencyContact {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let phone = Field(2, "phone", "Phone", .text(maximum: Limits.phone))
    package static let email = Field(3, "email", "E-mail", .text(maximum: Limits.email))
    package static let relationship = Field(4, "relationship", "Relationship", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 21,
        name: "emergencyContact",
        label: "Emergency contact",
        plural: "Emergency contacts",
        section: .myhealth,
        fields: [name, phone, email, relationship],
        isUrgent: true,
        isTimeless: true,
        example: ["name": "Theo Winter", "phone": "+41 79 555 02 20", "relationship": "son"]
    )
}
