import HTTPTypes
import HealthJournal
import HealthModel
import Interchange

/// Files in and out.
extension OpenAPI {
    static let documentOperations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records/{record}/documents",
            id: "attachDocument",
            summary: "Attach a file: its bytes are kept sealed, and an entry of the kind `document` names them",
            description: """
                A form as browsers and `curl -F file=@letter.pdf` send it (RFC 7578). The part `file` needs a file's \
                name; its `Content-Type`, if any, is the document's media type, and its file's name the document's name \
                unless the fields `mediaType` and `name` say others. A field that is empty says nothing.

                The whole form has at most \(BodyLimits.formBytes) bytes. \(BodyLimits.formsPerAccount) forms of an \
                account are taken in at once, and \(BodyLimits.forms) of all; one more is answered with 429. A request \
                is known again by its `Idempotency-Key` whatever the boundary of its form.
                """,
            tag: .entries,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                mediaTypes: [FormBoundary.mediaType],
                schema: "DocumentForm",
                examples: Examples.documentForms
            ),
            answers: [
                .json(
                    "Written",
                    "Attached. `Location` is where the entry is.",
                    status: 201,
                    headers: [.eTag, .location],
                    links: entryLinks(schemaName(Document.kind), and: ["saveDocument"])
                )
            ],
            problems: [.conflict, .erased]
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/entries/document/{entry}/content",
            id: "saveDocument",
            summary: "Save the file of a document",
            description: """
                The bytes as they were attached. Only types that a browser shows without running anything are named; \
                whatever else it is comes as `application/octet-stream`, and all of it to be saved, not shown. A file \
                that the account may not see is not there.
                """,
            tag: .entries,
            parameters: [.asOf],
            answers: [
                AnswerDescription(
                    description: "The file.",
                    content: ([AnswerType.octets.rawValue] + AttachedFile.harmlessTypes).map { ($0, "Bytes") },
                    headers: [.disposition]
                )
            ],
            problems: [.erased]
        ),
    ]

    static let documentSchemas: [JSONValue.Member] = [
        .init("Bytes", ["description": "Bytes of any kind."]),
        .init(
            "DocumentForm",
            [
                "type": "object",
                "required": [.string(DocumentForm.file)],
                "properties": [
                    "file": [
                        "type": "string", "contentMediaType": "application/octet-stream",
                        "description": "The file, with its name and its media type.",
                    ],
                    "name": JSONSchema.lineText(maximum: Limits.line),
                    "mediaType": JSONSchema.lineText(maximum: 255),
                    "date": JSONSchema.occurredText, "comment": JSONSchema.plainText(maximum: Limits.paragraphs),
                ],
                "additionalProperties": false,
            ]
        ),
    ]
}
