package import HealthModel

/// A name that completes what a person typed.
package struct SuggestionDocument: DefinedDocument, Hashable {
    package var suggestion: NameSuggestion

    package init(_ suggestion: NameSuggestion) {
        self.suggestion = suggestion
    }

    package static let definition = DocumentDefinition(
        { name, source, classes, substance, code in
            SuggestionDocument(
                NameSuggestion(name: name, source: source, substance: substance, code: code, classes: classes)
            )
        },
        DocumentMember("name", \.suggestion.name),
        DocumentMember(
            "source",
            \.suggestion.source,
            "Where the name is from: the record itself, a list of substances, or their classes."
        ),
        DocumentMember("classes", \.suggestion.classes),
        DocumentMember("substance", \.suggestion.substance, "The substance that the name stands for."),
        DocumentMember("code", \.suggestion.code, "Its code in the list from which it was loaded.")
    )
}

/// What a person typed, and where a name for it is wanted.
package struct SuggestionRequest: Hashable, Sendable {
    package static let schema = JSONSchema.object(
        [:],
        optional: [
            "text": JSONSchema.orNull(JSONSchema.lineText(maximum: NameSuggestion.maximumText)),
            "record": JSONSchema.orEmpty(JSONSchema.identifier)
                .merging(["description": "The record whose names come first; without it, no record is read."]),
            "kind": JSONSchema.orEmpty(["enum": ["drug", "supplement", "allergy", "meal"]])
                .merging(["description": "The kind of entry; by default, medication and supplements."]),
        ]
    )
}
