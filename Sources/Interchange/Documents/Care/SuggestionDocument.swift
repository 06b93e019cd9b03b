package import HealthModel

/// A name that completes what a person typed.
package struct SuggestionDocument: APIDocument, Hashable {
    package var suggestion: NameSuggestion

    package init(_ suggestion: NameSuggestion) {
        self.suggestion = suggestion
    }

    package static let schema = JSONSchema.object(
        [
            "name": ["type": "string"],
            "source": JSONSchema.word(of: NameSuggestion.Source.self)
                .merging([
                    "description": "Where the name is from: the record itself, a list of substances, or their classes."
                ]),
            "classes": JSONSchema.array(of: ["type": "string"]),
        ],
        optional: [
            "substance": ["type": "string", "description": "The substance that the name stands for."],
            "code": ["type": "string", "description": "Its code in the list from which it was loaded."],
        ]
    )

    package var json: JSONValue {
        .present([
            "name": .string(suggestion.name), "source": .string(suggestion.source.rawValue),
            "classes": .array(suggestion.classes.map { .string($0) }),
            "substance": suggestion.substance.map { .string($0) }, "code": suggestion.code.map { .string($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        suggestion = NameSuggestion(
            name: try object.required("name"),
            source: try object.choice("source", NameSuggestion.Source.self),
            substance: try object.text("substance"),
            code: try object.text("code"),
            classes: try object.texts("classes")
        )
    }
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
