/// A vital sign or another value that was measured, such as a pulse or a blood pressure.
package enum MeasuredValue {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    /// A text, so that a word such as `pale` is a value as well.
    package static let value = Field(2, "value", "Value", .text(maximum: Limits.line))
    package static let unit = Field(3, "unit", "Unit", .text(maximum: Limits.line))
    /// The values of a measurement that has several, such as a blood pressure.
    package static let parts = Field(4, "parts", "Parts", .list(of: .group([part, partValue, partUnit]), maximum: 20))
    /// The lowest and the highest value, and the number of values, of several that are summarised.
    package static let minimum = Field(5, "minimum", "Lowest", .text(maximum: Limits.line))
    package static let maximum = Field(6, "maximum", "Highest", .text(maximum: Limits.line))
    package static let count = Field(7, "count", "Number of values", .integer(1...Int64(Int32.max)))
    /// The end of a period that is summarised.
    package static let until = Field(8, "until", "Until", .instant)
    package static let device = Field(9, "device", "Device", .text(maximum: Limits.line))

    // The fields of a part.
    package static let part = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    package static let partValue = Field(2, "value", "Value", .text(maximum: Limits.line))
    package static let partUnit = Field(3, "unit", "Unit", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 30,
        name: "measurement",
        label: "Measurement",
        plural: "Measurements",
        section: .myhealth,
        fields: [name, value, unit, parts, minimum, maximum, count, until, device, SharedFields.codes],
        summary: [name, value, unit],
        example: ["date": "2024-02-16T07:30:00Z", "name": "Heart rate", "value": "64", "unit": "/min"]
    )
}
