package import HealthModel

/// The entry drafted from a dictated sentence, with the parts that were understood.
package struct DraftDocument: APIDocument, Hashable {
    package var draft: Draft

    package init(_ draft: Draft) {
        self.draft = draft
    }

    package static let schema = JSONSchema.object(
        [
            "content": [
                "type": "object",
                "description": """
                The fields of the entry, as in the body of a request that adds one; required ones may be missing. Empty \
                if the sentence was not understood.
                """,
            ],
            "understood": JSONSchema.array(
                of: JSONSchema.object([
                    "heard": ["type": "string"], "field": ["type": "string"], "value": ["type": "string"],
                ])
            ),
            "rest": JSONSchema.array(of: ["type": "string"])
                .merging(["description": "The words that were not understood."]),
        ],
        optional: [
            "kind": ["type": "string", "description": "The kind of the entry; absent if nothing was understood."],
            "missingPlan": [
                "type": "string",
                "description": "The medication of which a dose is reported, but which the record does not have.",
            ],
        ]
    )

    package var json: JSONValue {
        .present([
            "kind": draft.content.map { .string($0.kind.name) },
            "content": .object(draft.content.map { NativeDocument.members(of: $0) } ?? []),
            "understood": .array(
                draft.understood.map {
                    ["heard": .string($0.heard), "field": .string($0.field), "value": .string($0.value)]
                }
            ),
            "rest": .array(draft.rest.map { .string($0) }),
            "missingPlan": draft.missingPlan.map { .string($0) },
        ])
    }

    package init(_ object: NativeObject) throws(ModelError) {
        var content: EntryContent?
        if let name = try object.text("kind") {
            guard let kind = Kind.named(name) else {
                throw ModelError(.invalid, field: "kind", "there is no such kind of entry")
            }
            content = try object.object("content").decodeContent(of: kind)
        }
        var understood: [Draft.Understood] = []
        for part in try object.objects("understood") {
            understood.append(
                Draft.Understood(
                    heard: try part.required("heard"),
                    field: try part.required("field"),
                    value: try part.required("value")
                )
            )
        }
        draft = Draft(
            content: content,
            understood: understood,
            rest: try object.texts("rest"),
            missingPlan: try object.text("missingPlan")
        )
    }
}
