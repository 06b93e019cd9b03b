/// A blood value or another laboratory result.
package enum Blood {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    /// A text, because a source may contain `120/80` or `negative`.
    package static let value = Field(2, "value", "Value", .text(maximum: Limits.line))
    package static let unit = Field(3, "unit", "Unit", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 11,
        name: "blood",
        label: "Blood value",
        plural: "Blood values",
        section: .myhealth,
        fields: [name, value, unit, SharedFields.codes],
        summary: [name, value, unit],
        example: ["date": "2024-02-16", "name": "HbA1c", "value": "5.4", "unit": "%"]
    )
}
