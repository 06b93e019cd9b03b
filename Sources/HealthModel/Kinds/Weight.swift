/// A body weight as it was measured.
package enum Weight {
    package static let value = Field(1, "value", "Weight", .decimal(0...1_000_000), isRequired: true)
    /// Absent if the source did not state a unit.
    package static let unit = Field(2, "unit", "Unit", .choice(["kg", "g", "lb"]))

    package static let kind = Kind(
        code: 10,
        name: "weight",
        label: "Weight",
        plural: "Weight",
        section: .myhealth,
        fields: [value, unit],
        summary: [value, unit],
        example: ["date": "2024-02-16T07:30:00Z", "value": "72.5", "unit": "kg", "comment": "before breakfast"]
    )
}
