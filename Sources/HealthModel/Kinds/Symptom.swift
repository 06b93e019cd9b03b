/// A symptom or an event, such as a headache, a low mood or a seizure.
package enum Symptom {
    package static let name = Field(1, "name", "Name", .text(maximum: Limits.line), isRequired: true)
    /// From 0, none, to 10, the worst imaginable.
    package static let severity = Field(2, "severity", "Severity", .integer(0...10))
    package static let minutes = Field(3, "minutes", "Duration (min)", .integer(1...525_600))
    package static let triggers = Field(
        4,
        "triggers",
        "Triggers",
        .list(of: .text(maximum: Limits.line), maximum: 20)
    )

    package static let kind = Kind(
        code: 33,
        name: "symptom",
        label: "Symptom",
        plural: "Symptoms",
        section: .myhealth,
        fields: [name, severity, minutes, triggers, SharedFields.codes],
        summary: [name, severity],
        example: ["date": "2026-03-02T07:30:00Z", "name": "Headache", "severity": "6"]
    )
}
