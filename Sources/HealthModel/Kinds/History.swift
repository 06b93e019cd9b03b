/// An item of the medical history: an operation, a hospital stay, a treatment.
package enum History {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line))
    package static let information = Field(2, "information", "Information", .text(maximum: Limits.paragraphs))
    package static let contact = Field(3, "contact", "Contact", .text(maximum: Limits.line))
    /// The text of a source that has a single field for information or comment; never split.
    package static let mergedText = Field(4, "mergedText", "Information or comment", .text(maximum: Limits.paragraphs))

    package static let kind = Kind(
        code: 17,
        name: "history",
        label: "Medical history",
        plural: "Medical history",
        section: .myhealth,
        fields: [name, information, contact, mergedText, SharedFields.codes],
        example: ["date": "2008-06-12", "name": "Appendectomy", "contact": "Inselspital"]
    )
}
