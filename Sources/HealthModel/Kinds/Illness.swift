/// An illness or another condition.
package enum Illness {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    package static let information = Field(2, "information", "Information", .text(maximum: Limits.paragraphs))
    /// The text of a source that has a single field for information or comment; never split.
    package static let mergedText = Field(3, "mergedText", "Information or comment", .text(maximum: Limits.paragraphs))

    package static let kind = Kind(
        code: 15,
        name: "illness",
        label: "Illness",
        plural: "Illnesses",
        section: .myhealth,
        fields: [name, information, mergedText, SharedFields.ended, SharedFields.codes],
        example: ["date": "2023-11-01", "name": "Bronchitis"]
    )
}
