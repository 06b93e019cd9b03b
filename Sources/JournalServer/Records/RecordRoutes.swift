import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes to create, list, read, change and close records.
struct RecordRoutes: Routes {
    let services: Services

    static let schemas: [JSONValue.Member] = [
        .init("RecordNameQuery", OpenAPI.object(["name": JSONSchema.lineText(maximum: Limits.line)])),
        .init("NameLookup", NameLookup.schema),
    ]

    static let operations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records",
            id: "createRecord",
            summary: "Create a record",
            tag: .records,
            parameters: [.similar, .reason, .idempotencyKey],
            body: BodyDescription(schema: "NewRecord", examples: newRecordExamples),
            answers: [
                .json(
                    "Written",
                    "Created. `Location` is the address of the record.",
                    status: 201,
                    headers: [.eTag, .location],
                    links: recordLinks
                )
            ],
            problems: [.refused, .conflict],
            handler: create
        ),
        Operation(
            method: .get,
            path: "/v1/records",
            id: "listRecords",
            summary: "List the records that the account may see",
            tag: .records,
            parameters: [.asOf] + Parameter.page,
            answers: [.json("RecordPage", "A page of records, in the order in which they were created.")],
            problems: [.refused, .notFound],
            handler: list
        ),
        Operation(RecordEndpoints.lookUp),
        Operation(
            method: .get,
            path: "/v1/records/{record}",
            id: "showRecord",
            summary: "Show a record: its profile and its entries",
            tag: .records,
            parameters: [.asOf] + Parameter.period + [.retracted, .ifNoneMatch],
            answers: [
                AnswerDescription(
                    description:
                        "The part of the record that the account may see. There is an `ETag` if that is all of it.",
                    content: [("application/json", "Record")],
                    optionalHeaders: [.eTag]
                ),
                .notModified,
            ],
            problems: [.erased],
            handler: show
        ),
        Operation(
            method: .patch,
            path: "/v1/records/{record}",
            id: "changeRecord",
            summary: "Change the profile of a record, as a merge patch (RFC 7396)",
            tag: .records,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            body: BodyDescription(
                mediaTypes: ["application/merge-patch+json", "application/json"],
                schema: "RecordPatch",
                examples: patchExamples
            ),
            answers: [.written],
            problems: [.conflict, .erased, .stale],
            handler: change
        ),
        Operation(RecordEndpoints.close),
        Operation(RecordEndpoints.reopen),
    ]

    private func create(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let asked = try NativeProfile.creation(JSONReader.read(body), now: journal.now)
        let result = try await journal.records.createRecord(
            asked.profile,
            id: asked.id,
            refusingSimilar: !query.flag(.similar),
            context.writer(request, body: body, reason: query[.reason])
        )
        return result.response(.created, location: result.record.map { "/v1/records/\($0.text)" })
    }

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let page = try query.page
        let found = try await journal.records.listRecords(asOf: query.asOf, page: page, context.requireCaller())
        return Response(
            .page(
                "records",
                found.map(\.summary),
                cursor: found.count < page.limit ? nil : found.last?.created.position
            )
        )
    }

    private func show(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let retracted = try query.flag(.retracted)
        var options = try query.readOptions
        options.includesRetracted = retracted
        let caller = try context.requireCaller()
        var slot: ConcurrencyLimiter.Slot?
        let answer = try await journal.exports.readWhole(
            context.record(),
            options,
            caller,
            enter: { () throws(JournalError) in
                if slot == nil { slot = try services.renders.data.acquire(for: caller.account) }
            },
            render: { JSONWriter.bytes($0.json(retracted: retracted)) }
        )
        switch answer {
        case .rendered(let answer): return self.answer(answer, to: request)
        case .inParts(let record): return self.answer(record, to: request, slot)
        }
    }

    private func answer(_ answer: RenderedAnswer, to request: Request) -> Response {
        if let version = answer.version, request.holds(version) {
            return Response(status: .notModified).tagged(version)
        }
        // The moment differs on each read, so it is not part of the rendered bytes.
        var bytes = JSONWriter.bytes(.object(NativeDocument.opening(asOf: answer.asOf)))
        bytes[bytes.count - 1] = UInt8(ascii: ",")
        bytes += answer.bytes.dropFirst()
        let document = Response(bytes, type: .json)
        return answer.version.map(document.tagged) ?? document
    }

    private func answer(_ record: ExportedRecord, to request: Request, _ slot: ConcurrencyLimiter.Slot?) -> Response {
        let version = record.answer.version
        if let version, request.holds(version) { return Response(status: .notModified).tagged(version) }
        let document = Response(
            status: .ok,
            headers: [.contentType: AnswerType.json.rawValue],
            body: ResponseBody(parts: { sink in
                try await record.writeNative(.compact, closing: [.init("access", record.answer.access)], to: sink)
                slot?.end()
            })
        )
        return version.map(document.tagged) ?? document
    }

    private func change(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/merge-patch+json", "application/json"])
        let body = try await request.bytes()
        let patch = try JSONReader.read(body)
        let now = journal.now
        let result = try await journal.records.changeRecord(
            context.record(),
            expecting: request.expectedVersion(),
            context.writer(request, body: body, reason: query[.reason])
        ) { profile throws(ModelError) in
            profile = try NativeProfile.patched(profile, with: patch, now: now)
        }
        return result.response()
    }
}

extension RecordRoutes {
    /// Operations that can follow the creation of a record.
    private static let recordLinks: [LinkDescription] =
        [
            "showRecord", "changeRecord", "closeRecord", "showRecordHistory", "listAccesses", "showCosts",
            "exportRecord", "listCaregivers", "addWeight", "addCost", "addDoctor", "eraseRecord",
        ]
        .map { LinkDescription(operation: $0, parameters: [("record", "$response.body#/record")]) }

    private static let newRecordExamples: [Example] = [
        (
            "person",
            [
                "subject": "human",
                "profile": ["givenName": "Nora", "familyName": "Baumann", "birthdate": "1986-04-02"],
            ]
        ),
        (
            "animal",
            [
                "subject": "animal",
                "profile": [
                    "name": "Bless", "species": "dog",
                    "vet": ["clinicName": "Praxis am See", "phone": "+41 44 555 01 01"],
                ],
            ]
        ),
    ]

    private static let patchExamples: [Example] = [
        ("change", ["profile": ["birthdate": "1986-04-03", "sex": "female"]]),
        ("takeAway", ["profile": ["sex": .null]]),
    ]
}

extension RecordState {
    /// A record's members in a list.
    fileprivate var summary: JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(id.text)),
            .init("displayName", .string(displayName)),
            .init("subject", .string(profile.subject.name)),
            .init("createdAt", .string(created.recordedAt.description)),
            .init("updatedAt", .string(updated.recordedAt.description)),
        ]
        if let closed { members.append(.init("closedAt", .string(closed.recordedAt.description))) }
        return .object(members)
    }
}

extension JSONValue {
    /// Encodes a page of a list, with the cursor of the next page; null if there is none.
    static func page(_ name: String, _ items: [JSONValue], cursor: UInt64?) -> JSONValue {
        .object([.init(name, .array(items)), .init("nextCursor", cursor.map { .string(String($0)) } ?? .null)])
    }
}
