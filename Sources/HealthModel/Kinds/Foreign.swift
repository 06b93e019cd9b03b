/// A resource of another system that no kind of entry fits, such as an invoice of an insurer.
///
/// Its text is kept among the extra fields of the entry; see `FHIRKept` in the module `Interchange`.
package enum Foreign {
    /// The name of the type in the other system, such as `CarePlan`.
    package static let resourceType = Field(
        1,
        "resourceType",
        "Type",
        .text(maximum: Limits.line),
        isRequired: true
    )
    /// What it is about, as far as its text says so in a known place.
    package static let title = Field(2, "title", "Title", .text(maximum: Limits.line))
    /// The system from which it came, if the import states it.
    package static let source = Field(3, "source", "Source", .text(maximum: Limits.line))
    /// Its address in that system.
    package static let reference = Field(4, "reference", "Reference", .text(maximum: Limits.line))

    package static let kind = Kind(
        code: 31,
        name: "foreign",
        label: "Imported resource",
        plural: "Imported resources",
        section: .myhealth,
        fields: [resourceType, title, source, reference],
        summary: [title, resourceType],
        example: [
            "date": "2024-02-16", "resourceType": "CarePlan", "title": "Respiratory therapy",
            "source": "hospital.example",
        ]
    )
}
