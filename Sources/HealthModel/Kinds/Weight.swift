/// A body weight, as it was read off the scale.
package enum Weight {
    package static let value = Field(1, "value", "Weight", .decimal(0...1_000_000), isRequired: true)
    /// Absent means that the source did not say.
    package static let unit = Field(2, "unit", "Unit", .choice(["kg", "g", "lb"]))

    package static let kind = Kind(
        code: 10,
        name: "weight",
        label: "Weight",
        section: .myhealth,
        fields: [value, unit]
    )
}
