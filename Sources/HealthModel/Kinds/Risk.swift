/// A health risk.
package enum Risk {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    package static let information = Field(2, "information", "Information", .text(maximum: Limits.paragraphs))
    /// The text of a source that has a single field for description or comment; never split.
    package static let mergedText = Field(3, "mergedText", "Description or comment", .text(maximum: Limits.paragraphs))

    package static let kind = Kind(
        code: 16,
        name: "risk",
        label: "Risk",
        plural: "Risks",
        section: .myhealth,
        fields: [name, information, mergedText, SharedFields.ended, SharedFields.codes],
        isTimeless: true,
        example: ["name": "Family history", "information": "diabetes"]
    )
}
