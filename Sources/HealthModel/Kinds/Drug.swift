/// A medication as it was prescribed or bought.
package enum Drug {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    package static let dosage = Field(2, "dosage", "Dosage", .text(maximum: Limits.line))
    package static let information = Field(3, "information", "Information", .text(maximum: Limits.paragraphs))
    /// The text of a source that has a single field for name and dosage; never split.
    package static let rawText = Field(4, "rawText", "Name and dosage", .text(maximum: Limits.paragraphs))

    package static let kind = Kind(
        code: 12,
        name: "drug",
        label: "Medication",
        plural: "Medication",
        section: .myhealth,
        fields: [name, dosage, information, rawText] + PlanFields.all + [SharedFields.ended, SharedFields.codes],
        isUrgent: true,
        check: PlanCheck.check,
        example: ["date": "2024-02-16", "name": "Amoxicillin", "dosage": "500 mg", "information": "for seven days"]
    )
}
