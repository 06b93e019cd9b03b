/// A finding about medication that may not go together, or the answer to a question about it.
package enum Interaction {
    package static let queryText = Field(1, "queryText", "Question", .text(maximum: Limits.line))
    package static let medications = Field(2, "medications", "Medication", .list(of: name, maximum: 100))
    package static let supplements = Field(3, "supplements", "Supplements", .list(of: name, maximum: 100))
    /// Whether the check found anything.
    package static let found = Field(4, "found", "Interactions found", .flag)
    /// The severity of the worst detail.
    package static let severity = Field(5, "severity", "Severity", .choice(severities))
    package static let details = Field(6, "details", "Details", .list(of: .group(Detail.all), maximum: 100))
    package static let recommendations = Field(
        7,
        "recommendations",
        "Recommendations",
        .list(of: .text(maximum: Limits.paragraphs), maximum: 20)
    )
    package static let educationalInfo = Field(
        8,
        "educationalInfo",
        "Background",
        .text(maximum: Limits.paragraphs)
    )
    /// What made the check: a tool, a person, or the journal when a plan changed.
    package static let source = Field(
        9,
        "source",
        "Source",
        .choice(["medgemma_ai", "manual_entry", "scheduled_check"]),
        isRequired: true
    )
    package static let resolved = Field(10, "resolved", "Resolved", .flag)
    package static let resolution = Field(
        11,
        "resolution",
        "Resolution",
        .choice(["accepted", "changed", "notRelevant", "askedProfessional"])
    )
    package static let userNotes = Field(12, "userNotes", "Notes", .text(maximum: Limits.paragraphs))
    /// The id of the rule in its rule set.
    package static let rule = Field(13, "rule", "Rule", .text(maximum: Limits.line))
    /// The name and the version of the rule set.
    package static let ruleSet = Field(14, "ruleSet", "Rule set", .text(maximum: Limits.line))
    /// The medication and the supplements that the finding is about.
    package static let entries = Field(
        15,
        "entries",
        "Entries",
        .list(of: .entry(kinds: ["drug", "supplement", "allergy", "meal"]), maximum: 100)
    )

    package static let severities = ["low", "medium", "high", "critical"]
    private static let name = FieldType.text(maximum: Limits.line)

    /// The fields of one interaction.
    package enum Detail {
        package static let id = Field(1, "id", "Id", .id)
        package static let medication1 = Field(2, "medication1", "First", .text(maximum: Limits.line), isRequired: true)
        package static let medication2 = Field(3, "medication2", "Second", .text(maximum: Limits.line))
        package static let interactionType = Field(4, "interactionType", "Type", .text(maximum: Limits.line))
        package static let description = Field(5, "description", "Description", .text(maximum: Limits.paragraphs))
        package static let severity = Field(6, "severity", "Severity", .choice(Interaction.severities))

        static let all = [id, medication1, medication2, interactionType, description, severity]
    }

    package static let kind = Kind(
        code: 26,
        name: "interaction",
        label: "Interaction",
        plural: "Interactions",
        section: .conflicts,
        fields: [
            queryText, medications, supplements, found, severity, details, recommendations, educationalInfo, source,
            resolved, resolution, userNotes, rule, ruleSet, entries,
        ],
        summary: [queryText, severity],
        example: [
            "date": "2026-03-02T09:00:00Z", "queryText": "May I take ibuprofen?", "found": "true",
            "severity": "high", "source": "manual_entry",
        ]
    )
}
