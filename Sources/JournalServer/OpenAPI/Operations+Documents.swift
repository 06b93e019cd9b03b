import HTTPTypes
import HealthJournal
import HealthModel
import Interchange

/// Operations that attach and download files.
extension OpenAPI {
    static let documentOperations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records/{record}/documents",
            id: "attachDocument",
            summary: "Attach a file: its bytes are stored encrypted, with an entry of the kind `document`",
            description: """
                A form as browsers and `curl -F file=@letter.pdf` send it (RFC 7578). The part `file` needs a file \
                name; its `Content-Type`, if any, is the document's media type, and its file name the document's name \
                unless the fields `mediaType` and `name` give others. An empty field is ignored.

                The whole form has at most \(BodyLimits.formBytes) bytes. \(BodyLimits.formsPerAccount) forms of an \
                account are processed at the same time, and \(BodyLimits.forms) of all accounts; one more is answered \
                with 429. A retry is recognised by its `Idempotency-Key`, even if the boundary of its form differs.
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
                    "Attached. `Location` is the address of the entry.",
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
                The bytes as they were attached. The media type is given only if a browser shows it without running \
                anything; all others are sent as `application/octet-stream`. Every file is sent as a download. A file \
                that the account may not see is answered with 404.
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
