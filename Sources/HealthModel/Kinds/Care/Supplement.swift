/// A supplement that is taken, such as a vitamin.
package enum Supplement {
    package static let purpose = Field(40, "purpose", "Purpose", .text(maximum: Limits.line))
    package static let brand = Field(41, "brand", "Brand", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 22,
        name: "supplement",
        label: "Supplement",
        plural: "Supplements",
        section: .myhealth,
        fields: [Drug.name, Drug.dosage, purpose, brand, Drug.information, Drug.rawText] + PlanFields.all
            + [SharedFields.ended, SharedFields.codes],
        isUrgent: true,
        check: PlanCheck.check,
        example: ["date": "2026-03-01", "name": "Vitamin D3", "dosage": "1 capsule", "purpose": "bones"]
    )
}
