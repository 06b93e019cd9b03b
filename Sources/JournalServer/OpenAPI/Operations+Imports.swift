import HTTPTypes
import Interchange

extension OpenAPI {
    static let importOperations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/imports",
            id: "importDocument",
            summary: "Import a document: all of it or nothing, and only what the journal does not contain already",
            description: """
                The document is one that a HealthJournal exported, or several in an array, or one of Purus Health; it \
                names the record itself, which is created if there is none. An older export of this journal undoes \
                nothing: entries changed here after the export stay unchanged, and are listed as kept. With `dryRun` \
                nothing is imported, and each change is listed.
                """,
            tag: .records,
            parameters: [.dryRun, .epoch, .zone, .importCurrency, .reason],
            body: BodyDescription(schema: "ImportedDocument", examples: Examples.imports),
            answers: [.json("ImportReports", "What was imported, or would be.")],
            problems: [.refused, .notFound, .conflict, .erased]
        )
    ]

    static let importSchemas: [JSONValue.Member] = [
        .init(
            "ImportedDocument",
            [
                "type": ["object", "array"], "items": ["type": "object"], "minItems": 1,
                "description": "An exported document, or several of a HealthJournal.",
            ]
        ),
        .init("ImportReports", list("imports", report)),
    ]

    private static let count: JSONValue = ["type": "integer", "minimum": 0]

    private static let report = object(
        [
            "record": JSONSchema.identifier, "newRecord": ["type": "boolean"], "profileChanged": ["type": "boolean"],
            "added": count, "corrected": count, "unchanged": count, "kept": count,
            "changes": [
                "type": "array", "items": change,
                "description": "Entries that stay unchanged in the journal; with `dryRun` each other change as well.",
            ],
            "unrepresented": [
                "type": "array", "items": ["type": "string"],
                "description": "Paths of fields that are stored without being interpreted.",
            ],
            "dryRun": ["type": "boolean"],
        ],
        optional: ["position": JSONSchema.position]
    )

    private static let change = object(
        [
            "what": ["enum": ["added", "corrected", "kept"]],
            "fields": [
                "type": "array",
                "items": object([
                    "field": ["type": "string"], "journal": ["type": ["string", "null"]],
                    "document": ["type": ["string", "null"]],
                ]),
            ],
        ],
        optional: ["kind": ["type": "string"], "entry": JSONSchema.identifier]
    )
}
