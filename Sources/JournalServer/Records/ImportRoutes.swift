import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Imports documents like the command line: each completely or not at all, and only data that the journal does not
/// have.
struct ImportRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/imports",
            id: "importDocument",
            summary: "Import a document: all of it or nothing, and only what the journal does not contain already",
            description: """
                The document is one that a HealthJournal exported, or several in an array, or one of Purus Health or \
                Mango Health; it names the record itself, which is created if there is none. An older export of this journal undoes \
                nothing: entries changed here after the export stay unchanged, and are listed as kept. With `dryRun` \
                nothing is imported, and each change is listed.
                """,
            tag: .records,
            parameters: [.dryRun, .strict, .epoch, .zone, .importCurrency, .reason],
            body: BodyDescription(schema: "ImportedDocument", examples: importExamples),
            answers: [.json("ImportReports", "What was imported, or would be.")],
            problems: [.refused, .notFound, .conflict, .erased],
            handler: take
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/imports/csv",
            id: "importCSV",
            summary:
                "Import a CSV file into a record: all of it or nothing, and only what the journal does not contain already",
            description: """
                Without `mapping`, the columns of a file of Withings, OMRON connect or openScale, or of a table that a \
                HealthJournal exported, say what they become. A mapping is remembered with the record, for later files \
                with the same columns. A file that can be read in two ways is refused until `decimal` or `datePattern` \
                says which one is meant. With `dryRun` nothing is imported, and the answer has the first lines beside what \
                they become, and the faults.
                """,
            tag: .records,
            parameters: [.dryRun, .reason],
            body: BodyDescription(schema: "CSVFile", examples: csvExamples),
            answers: [.json("CSVImport", "What was imported, or would be.")],
            problems: [.refused, .notFound, .conflict, .erased],
            handler: takeCSV
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/imports/vcard",
            id: "importCards",
            summary: "Import the cards of an address book as doctors or emergency contacts of a record",
            description: """
                All cards or none, and only what the journal does not contain already. A card that this journal wrote \
                corrects its entry. With `dryRun` nothing is imported, and each change is listed.
                """,
            tag: .records,
            parameters: [.dryRun, .strict, .reason],
            body: BodyDescription(schema: "AddressBook", examples: cardExamples),
            answers: [.json("ImportReports", "What was imported, or would be.")],
            problems: [.refused, .notFound, .conflict, .erased],
            handler: takeCards
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/imports",
            id: "listImports",
            summary: "List the imports into a record, the latest first",
            tag: .records,
            answers: [.json("Imports", "The imports.")],
            problems: [.refused, .notFound, .erased],
            handler: list
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/imports/undo",
            id: "undoImport",
            summary: "Undo an import as a whole: by default the latest one that is not undone",
            description: """
                What it added is retracted, and what it corrected or retracted is what it was before, in one append. Entries \
                that were changed since stay as they are, and are listed. Repeating the request without a position undoes the \
                import before, so name the position, or send an idempotency key.
                """,
            tag: .records,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "UndoRequest", examples: []),
            answers: [.json("UndoneImport", "What was undone.")],
            problems: [.refused, .notFound, .conflict, .erased],
            handler: undo
        ),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let imports = try await journal.imports.list(into: context.record(), context.requireCaller())
        return Response(["imports": .array(imports.map(\.json))])
    }

    private func undo(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let (record, position) = try (context.record(), object.undonePosition())
        let undone = try await services.long.run(services.long.imports, context) { [journal] in
            try await journal.imports.undoImport(into: record, at: position, caller)
        }
        return Response(undone.json)
    }

    /// Authorizes the caller before it reads the document, so that a refused upload is not held in memory.
    private func take(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let isTrial = try query.flag(.dryRun)
        var document = DocumentImport(journal: journal, currency: try query.currency)
        document.isStrict = try query.flag(.strict)
        document.epoch =
            try query.value(.epoch) { text throws(ModelError) in
                switch text {
                case "unix": .unix
                case "reference": .reference
                default: throw ModelError(.invalid, "must be unix or reference")
                }
            } ?? .unix
        document.zone = try query.value(.zone) { text throws(ModelError) in
            guard let zone = TimeZone(identifier: text) else {
                throw ModelError(.invalid, "there is no time zone with that name")
            }
            return zone
        }
        var caller = try context.writer(request, reason: query[.reason])
        // Importing the same document again adds nothing, so an idempotency key is not needed.
        caller.request = nil
        try await journal.access.require(.importRecords, caller)
        try request.requireMediaType(["application/json"])
        try request.requireLength(atMost: DocumentImport.documentBytes)
        let reports = try await services.long.run(services.long.imports, context) { [document, caller] in
            let bytes = try await request.bytes(atMost: DocumentImport.documentBytes)
            return try await document.take(bytes, isTrial: isTrial, caller)
        }
        return Response(.object([.init("imports", .array(reports.map { $0.json(isTrial: isTrial) }))]))
    }
}

extension ImportRoutes {
    /// Authorizes the caller, and then reads the object that contains the file.
    private func withFile(
        _ request: Request,
        _ context: ServerContext,
        _ query: Query,
        _ take: @escaping @Sendable (_ file: NativeObject, _ isTrial: Bool, _ caller: Caller) async throws -> JSONValue
    ) async throws -> Response {
        let isTrial = try query.flag(.dryRun)
        var caller = try context.writer(request, reason: query[.reason])
        // Importing the same file again adds nothing, so an idempotency key is not needed.
        caller.request = nil
        caller.source = .import
        try await journal.access.require(.importRecords, caller)
        try request.requireMediaType(["application/json"])
        try request.requireLength(atMost: DocumentImport.documentBytes)
        let json = try await services.long.run(services.long.imports, context) { [caller] in
            let object = try NativeObject(JSONReader.read(await request.bytes(atMost: DocumentImport.documentBytes)))
            return try await take(object, isTrial, caller)
        }
        return Response(json)
    }

    private func takeCSV(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await withFile(request, context, query) { object, isTrial, caller in
            let file = try CSVRequest(object, into: context.record())
            let document = try await journal.imports.read(file, isTrial: isTrial, caller)
            var reports: [ImportReport] = []
            if !isTrial || document.faultCount == 0 {
                let digest = BlobStore.digest(of: file.bytes)
                reports.append(
                    try await journal.imports.take(
                        document.record(file.record),
                        digest: digest,
                        isTrial: isTrial,
                        caller
                    )
                )
            }
            return .present([
                "imports": .array(reports.map { $0.json(isTrial: isTrial) }), "read": isTrial ? document.json : nil,
            ])
        }
    }

    private func takeCards(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await withFile(request, context, query) { object, isTrial, caller in
            try object.requireMembers(["text", "kind"])
            let bytes = Array(try object.required("text").utf8)
            let name = try object.text("kind") ?? Doctor.kind.name
            guard let kind = VCard.kinds.first(where: { $0.name == name }) else {
                let names = VCard.kinds.map(\.name).joined(separator: " or ")
                throw ModelError(.invalid, field: "kind", "must be \(names)")
            }
            let report = try await journal.imports.take(
                journal.imports.readCards(
                    bytes,
                    as: kind,
                    into: context.record(),
                    isTrial: isTrial,
                    isStrict: query.flag(.strict),
                    caller
                ),
                digest: BlobStore.digest(of: bytes),
                isTrial: isTrial,
                caller
            )
            return ["imports": [report.json(isTrial: isTrial)]]
        }
    }
}

extension CSVRequest {
    fileprivate init(_ object: NativeObject, into record: UUID) throws(ModelError) {
        try object.requireMembers(["text", "mapping", "decimal", "datePattern"])
        self.init(Array(try object.required("text").utf8), into: record)
        switch object.members.first(where: { $0.name == "mapping" })?.value {
        case nil, .null: mapping = nil
        case .string(let name):
            guard let known = CSVMapping.builtIn.first(where: { $0.source == name }) else {
                throw ModelError(.invalid, field: "mapping", "there is no known mapping with this name")
            }
            mapping = known
        case .some(let json):
            do { mapping = try CSVMapping(json) } catch {
                throw ModelError(error.code, field: error.field.map { "mapping.\($0)" } ?? "mapping", error.text)
            }
        }
        if let name = try object.text("decimal") {
            decimal = CSVNumbers.sign(named: name)
            guard decimal != nil else { throw ModelError(.invalid, field: "decimal", "must be point or comma") }
        }
        do {
            datePattern = try object.text("datePattern").map { text throws(ModelError) in try CSVDatePattern(text) }
        } catch {
            throw ModelError(error.code, field: "datePattern", error.text)
        }
    }
}

extension ImportRoutes {
    static let schemas: [JSONValue.Member] = [
        .init(
            "CSVFile",
            OpenAPI.object(
                ["text": ["type": "string", "description": "The file as text."]],
                optional: [
                    "mapping": [
                        "type": ["string", "object"],
                        "description": "What the columns become (healthjournal-csv/1), or the name of a known mapping.",
                    ], "decimal": ["enum": ["point", "comma"]],
                    "datePattern": [
                        "type": "string", "description": "How dates are written, such as dd.MM.yyyy HH:mm.",
                    ],
                ]
            )
        ),
        .init(
            "AddressBook",
            OpenAPI.object(
                ["text": ["type": "string", "description": "The cards as text (vCard)."]],
                optional: ["kind": ["enum": .array(VCard.kinds.map { .string($0.name) }), "default": "doctor"]]
            )
        ),
        .init(
            "CSVImport",
            OpenAPI.object(["imports": ["type": "array", "items": report]], optional: ["read": csvReading])
        ),
        .init(
            "ImportedDocument",
            [
                "type": ["object", "array"], "items": ["type": "object"], "minItems": 1,
                "description": "An exported document, or several of a HealthJournal.",
            ]
        ),
        .init("ImportReports", OpenAPI.list("imports", report)),
        .init("Imports", OpenAPI.list("imports", RecordImport.schema)), .init("UndoneImport", UndoneImport.schema),
    ]

    private static let count: JSONValue = ["type": "integer", "minimum": 0]

    private static func described(_ text: String) -> JSONValue {
        ["type": "integer", "minimum": 1, "description": .string(text)]
    }

    private static let report = OpenAPI.object(
        [
            "record": JSONSchema.identifier, "newRecord": ["type": "boolean"], "profileChanged": ["type": "boolean"],
            "added": count, "corrected": count, "unchanged": count, "retracted": count, "kept": count, "older": count,
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
        optional: [
            "position": JSONSchema.position,
            "contradictions": [
                "type": "array", "items": ["type": "string"],
                "description": "Paths of values that contradict others of the document; both are stored.",
            ],
            "account": JSONSchema.identifier,
            "unresolvedReferences": described(
                "The number of references to what neither the document nor the journal contains."
            ),
            "faults": [
                "type": "array",
                "items": JSONSchema.object(
                    ["message": ["type": "string"], "kept": ["type": "boolean"]],
                    optional: ["path": ["type": "string"]]
                ),
                "description": """
                Parts of the document that could not be read: kept as they came, or left out. All \
                others are imported.
                """,
            ],
            "skipped": [
                "type": "array", "items": ["type": "string"],
                "description":
                    "Parts of the document that contain nothing to import, such as a group of an address book.",
            ],
            "doubts": [
                "type": "array",
                "items": JSONSchema.object([
                    "entry": JSONSchema.identifier, "path": ["type": "string"],
                    "reason": JSONSchema.word(of: EntryDoubt.Reason.self), "text": ["type": "string"],
                ]),
                "description": "Added values that are far from the ones before them: check them.",
            ],
            "missingFiles": [
                "type": "array", "items": JSONSchema.identifier,
                "description":
                    "Documents whose files neither the document nor the journal contains: attach the files to open them.",
            ],
            "partialDates": described("The number of entries whose date is only a month or a year."),
            "possibleDuplicates": described(
                "The number of added entries that may state the same as one of another source."
            ),
            "foreign": [
                "type": "object", "additionalProperties": count,
                "description": "How many resources of FHIR are kept as they came, by their type.",
            ],
        ]
    )

    private static let change = OpenAPI.object(
        [
            "what": ["enum": ["added", "corrected", "retracted", "kept"]],
            "fields": [
                "type": "array",
                "items": OpenAPI.object([
                    "field": ["type": "string"], "journal": ["type": ["string", "null"]],
                    "document": ["type": ["string", "null"]],
                ]),
            ],
        ],
        optional: ["kind": ["type": "string"], "entry": JSONSchema.identifier, "sameAs": JSONSchema.identifier]
    )

    private static let csvReading = OpenAPI.object([
        "reading": [
            "type": "array", "items": ["type": "string"],
            "description": "How the file was read; what was guessed is marked as such.",
        ],
        "lines": [
            "type": "array", "description": "The first lines.",
            "items": OpenAPI.object([
                "line": described("The number of the line in the file."),
                "cells": ["type": "array", "items": ["type": "string"]],
                "entries": ["type": "array", "items": ["type": "object"]],
            ]),
        ],
        "count": count, "faultCount": count,
        "faults": [
            "type": "array", "items": ["type": "string"],
            "description": "The first faults with their lines and columns, never with values.",
        ],
    ])

    private static let csvExamples: [Example] = [
        (
            "own mapping",
            [
                "text": "Day;Weight\r\n16.02.2024;75,5\r\n",
                "mapping": [
                    "format": "healthjournal-csv/1", "date": ["columns": ["Day"], "pattern": "dd.MM.yyyy"],
                    "decimal": ",",
                    "rows": [["kind": "weight", "set": ["value": "{Weight}", "unit": "kg"]]],
                ],
            ]
        )
    ]

    private static let cardExamples: [Example] = [
        (
            "a doctor",
            [
                "text": "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Dr. Ada Roth\r\nTEL:+41 44 123 45 67\r\nEND:VCARD\r\n",
                "kind": "doctor",
            ]
        )
    ]

    private static let importExamples: [Example] = [
        (
            "native",
            [
                "format": "healthjournal/1", "id": "01890a5d-ac96-774b-bcce-b302099a8058", "subject": "human",
                "profile": ["givenName": "Nora", "familyName": "Baumann"],
                "entries": [
                    "weight": [
                        [
                            "id": "01890a5d-ac96-774b-bcce-b302099a8059", "date": "2024-02-16", "value": "75.5",
                            "unit": "kg",
                        ]
                    ]
                ],
            ]
        )
    ]
}
