import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes to attach files to a record, and to download them.
struct DocumentRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
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
            body: BodyDescription(mediaTypes: [FormBoundary.mediaType], schema: "DocumentForm", examples: formExamples),
            answers: [
                .json(
                    "Written",
                    "Attached. `Location` is the address of the entry.",
                    status: 201,
                    headers: [.eTag, .location],
                    links: OpenAPI.entryLinks(OpenAPI.schemaName(Document.kind), and: ["saveDocument"])
                )
            ],
            problems: [.conflict, .erased],
            handler: attach
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/entries/{kind}/{entry}/content",
            kind: Document.kind,
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
            problems: [.erased],
            handler: save
        ),
    ]

    /// Authorizes the caller before it reads the file, so that a refused upload is not held in memory.
    private func attach(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let record = try context.record()
        let boundary = try request.requireForm()
        let asker = try context.writer(request, reason: query[.reason])
        try await journal.entries.admitDocument(to: record, asker)
        try request.requireLength(atMost: BodyLimits.formBytes)
        let slot = try services.uploads.acquire(for: asker.account)
        defer { withExtendedLifetime(slot) {} }
        let form = try DocumentForm(FormReader.parts(of: await request.formBytes(), boundary))
        let result = try await journal.entries.attachDocument(
            form.bytes,
            form.content,
            to: record,
            context.writer(request, body: form.digest, reason: query[.reason])
        )
        let location = result.entry.map { "/v1/records/\(record.text)/entries/\(Document.kind.name)/\($0.text)" }
        return result.response(.created, location: location)
    }

    private func save(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        guard try context.kind() == Document.kind else { throw JournalError.noFile }
        let file: AttachedFile
        do {
            file = try await journal.entries.document(
                context.entry(),
                of: context.record(),
                asOf: query.asOf,
                context.requireCaller()
            )
        } catch let error as JournalError where error.code == .refused {
            // An entry that the caller may not see is reported as missing.
            throw JournalError(.notFound, "there is no such entry")
        }
        var response = Response(file.bytes, type: .octets)
        if let type = file.harmlessType { response.headers[.contentType] = type }
        response.headers[.contentDisposition] = "attachment; filename*=UTF-8''\(file.name.asFilename)"
        return response
    }
}

extension DocumentRoutes {
    static let schemas: [JSONValue.Member] = [
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
        )
    ]

    /// Form fields; the text of the file represents its bytes.
    private static let formExamples: [Example] = [
        (
            "letter",
            [
                "file": "Dear colleague, thank you for seeing Nora.", "name": "letter.txt", "mediaType": "text/plain",
                "date": "2024-02-16", "comment": "from Dr. Okafor",
            ]
        )
    ]
}

extension AttachedFile {
    /// Types that browsers display without executing their content; all others are sent as plain bytes.
    static let harmlessTypes = ["application/pdf", "image/gif", "image/jpeg", "image/png", "image/webp"]

    var harmlessType: String? { mediaType.flatMap(AttachedFile.harmlessType) }

    /// Returns the harmless type that a media type names, whatever its parameters; nil for other types.
    static func harmlessType(_ mediaType: String) -> String? {
        let type = mediaType.prefix { $0 != ";" }.lowercased().trimming(\.isWhitespace)
        return AttachedFile.harmlessTypes.first { $0 == type }
    }
}

extension String {
    /// Encodes a file name for a header (RFC 8187), with path separators replaced.
    fileprivate var asFilename: String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return replacing("/", with: "_").replacing("\\", with: "_").utf8
            .map { byte in
                plain.contains(byte)
                    ? String(UnicodeScalar(byte))
                    : "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
            .joined()
    }
}
