import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes to add, list, read, correct, retract and restore the entries of a record.
struct EntryRoutes: Routes {
    let services: Services

    static let operations: [Operation] =
        Kind.all.flatMap(operations(on:)) + Plan.kinds.map(changes(of:)) + [
            Operation(
                method: .get,
                path: "/v1/entries/{start}",
                id: "findEntry",
                summary: "Find an entry by its id, or by the start of its id",
                tag: .entries,
                parameters: [.asOf],
                answers: [.json("FoundEntry", "The entry, with its record and kind.", headers: [.eTag])],
                problems: [.erased],
                handler: find
            )
        ]

    /// The operations on entries of one kind.
    ///
    /// The router has one route for all kinds. The description has one for each kind, so that a generated client gets a
    /// method and a type for each kind, and no body is described as one of many shapes when the address allows only
    /// one.
    private static func operations(on kind: Kind) -> [Operation] {
        let name = OpenAPI.schemaName(kind)
        let what = kind.label.prefix(1).lowercased() + kind.label.dropFirst()
        let example = (kind.name, OpenAPI.exampleEntry(of: kind))
        let body = BodyDescription(schema: sentSchema(of: kind), examples: [example])
        return [
            Operation(
                method: .post,
                path: "/v1/records/{record}/entries/{kind}",
                kind: kind,
                id: "add\(name)",
                summary: "Add an entry: \(what)",
                tag: .entries,
                parameters: [.newEntry, .reason, .idempotencyKey],
                body: body,
                answers: [
                    .json(
                        "Written",
                        "Added. `Location` is the address of the entry.",
                        status: 201,
                        headers: [.eTag, .location],
                        links: OpenAPI.entryLinks(name)
                    )
                ],
                problems: [.conflict, .erased],
                handler: add
            ),
            Operation(
                method: .get,
                path: "/v1/records/{record}/entries/{kind}",
                kind: kind,
                id: "list\(name)",
                summary: "List entries: \(what)",
                tag: .entries,
                parameters: [.asOf] + Parameter.period + Parameter.page + [.retracted],
                answers: [.json("\(name)Page", "A page of entries, in the order in which they were added.")],
                problems: [.erased],
                handler: list
            ),
            Operation(
                method: .get,
                path: "/v1/records/{record}/entries/{kind}/{entry}",
                kind: kind,
                id: "show\(name)",
                summary: "Show an entry: \(what)",
                tag: .entries,
                parameters: [.asOf, .ifNoneMatch],
                answers: [.json("\(name)Kept", "The entry.", headers: [.eTag]), .notModified],
                problems: [.erased],
                handler: show
            ),
            Operation(
                method: .put,
                path: "/v1/records/{record}/entries/{kind}/{entry}",
                kind: kind,
                id: "correct\(name)",
                summary: "Correct an entry: \(what). Its earlier version stays in its history",
                tag: .entries,
                parameters: [.reason, .ifMatch, .idempotencyKey],
                body: body,
                answers: [.written],
                problems: [.conflict, .erased, .stale],
                handler: correct
            ),
            Operation(
                method: .delete,
                path: "/v1/records/{record}/entries/{kind}/{entry}",
                kind: kind,
                id: "retract\(name)",
                summary: "Retract an entry that was never true: \(what)",
                tag: .entries,
                parameters: [.reason, .ifMatch, .idempotencyKey],
                answers: [.written],
                problems: [.conflict, .erased, .stale],
                handler: retract
            ),
            Operation(
                method: .post,
                path: "/v1/records/{record}/entries/{kind}/{entry}/restore",
                kind: kind,
                id: "restore\(name)",
                summary: "Restore an entry that was retracted: \(what)",
                tag: .entries,
                parameters: [.reason, .ifMatch, .idempotencyKey],
                answers: [.written],
                problems: [.conflict, .erased, .stale],
                handler: restore
            ),
            Operation(
                method: .get,
                path: "/v1/records/{record}/entries/{kind}/{entry}/history",
                kind: kind,
                id: "show\(name)History",
                summary: "Show the history of an entry: \(what)",
                tag: .entries,
                answers: [.json("EventPage", "All events of the entry, the first one first.")],
                problems: [.erased],
                handler: history
            ),
        ]
    }

    private static func changes(of kind: Kind) -> Operation {
        let name = OpenAPI.schemaName(kind)
        return Operation(
            method: .post,
            path: "/v1/records/{record}/entries/{kind}/{entry}/changes",
            kind: kind,
            id: "changePlanOf\(name)",
            summary: "Change the plan of a \(kind.label.lowercased()) from the moment in `lastChange` on",
            tag: .entries,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            body: BodyDescription(
                schema: changedSchema(of: kind),
                examples: [(kind.name, OpenAPI.exampleOfChangedPlan(of: kind))]
            ),
            answers: [.written],
            problems: [.conflict, .scheduleConflict, .erased, .stale],
            handler: changePlan
        )
    }

    private func add(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (record, kind) = (try context.record(), try context.kind())
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let content = try NativeDocument.content(JSONReader.read(body), of: kind, now: journal.now)
        let result = try await journal.entries.addEntry(
            content,
            to: record,
            id: query.id,
            context.writer(request, body: body, reason: query[.reason])
        )
        let location = result.entry.map { "/v1/records/\(record.text)/entries/\(kind.name)/\($0.text)" }
        return result.response(.created, location: location)
    }

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        var options = try query.readOptions
        options.kinds = [try context.kind()]
        options.includesRetracted = try query.flag(.retracted)
        options.page = try query.page
        let limit = options.page.limit
        let answer = try await journal.records.read(
            context.record(),
            options,
            as: .entries,
            context.requireCaller()
        ) { answer in
            let entries = answer.state.entries
            let cursor = entries.count < limit ? nil : entries.last?.added.position
            return JSONWriter.bytes(.page("entries", entries.map(NativeDocument.entry), cursor: cursor))
        }
        return Response(answer.bytes, type: .json)
    }

    private func show(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let state = try await journal.entries.entry(
            context.entry(),
            of: context.kind(),
            in: context.record(),
            asOf: query.asOf,
            context.requireCaller()
        )
        let version = state.latest.position
        if request.holds(version) { return Response(status: .notModified).tagged(version) }
        return Response(NativeDocument.entry(state)).tagged(version)
    }

    /// Finds an entry in any record by its id or the start of its id.
    private func find(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let state = try await journal.entries.entry(
            named: context.parameters.get("start") ?? "",
            asOf: query.asOf,
            context.requireCaller()
        )
        return Response(state.found).tagged(state.latest.position)
    }

    private func correct(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let content = try NativeDocument.content(JSONReader.read(body), of: context.kind(), now: journal.now)
        return
            try await journal.entries
            .correctEntry(
                context.entry(),
                expecting: expected(request, context),
                context.writer(request, body: body, reason: query[.reason])
            ) { $0 = content }
            .response()
    }

    private func changePlan(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let content = try NativeDocument.content(JSONReader.read(body), of: context.kind(), now: journal.now)
        return
            try await journal.entries
            .changePlan(
                context.entry(),
                expecting: expected(request, context),
                context.writer(request, body: body, reason: query[.reason])
            ) { $0 = content }
            .response()
    }

    private func retract(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await journal.entries
            .retractEntry(
                context.entry(),
                expecting: expected(request, context),
                context.writer(request, reason: query[.reason])
            )
            .response()
    }

    private func restore(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await journal.entries
            .restoreEntry(
                context.entry(),
                expecting: expected(request, context),
                context.writer(request, reason: query[.reason])
            )
            .response()
    }

    private func history(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let events = try await journal.trail.history(
            ofEntry: context.entry(),
            expecting: ExpectedEntry(record: context.record(), kind: context.kind()),
            context.requireCaller()
        )
        return Response(.page("events", events.written(journal), cursor: nil))
    }

    private func expected(_ request: Request, _ context: ServerContext) throws -> ExpectedEntry {
        ExpectedEntry(record: try context.record(), kind: try context.kind(), position: try request.expectedVersion())
    }
}

extension EntryRoutes {
    static let schemas: [JSONValue.Member] =
        Kind.all.flatMap(schemas(of:)) + [.init("FoundEntry", foundEntry)]

    /// The schemas of an entry, of one that is sent, of a stored entry, and of a page of stored entries.
    private static func schemas(of kind: Kind) -> [JSONValue.Member] {
        let name = OpenAPI.schemaName(kind)
        let kept: JSONValue = [
            "allOf": [OpenAPI.reference(name), ["required": ["id", "addedAt", "addedBy", "position"]]]
        ]
        var schemas: [JSONValue.Member] = [
            .init(name, JSONSchema.part(JSONSchema.entry(of: kind))),
            .init(sentSchema(of: kind), ["allOf": [OpenAPI.reference(name), JSONSchema.subject(of: kind)]]),
            .init("\(name)Kept", kept),
            .init("\(name)Page", OpenAPI.page(of: "entries", "\(name)Kept")),
        ]
        if Plan.kinds.contains(kind) {
            let changed: JSONValue = ["allOf": [OpenAPI.reference(sentSchema(of: kind)), JSONSchema.planChange]]
            schemas.append(.init(changedSchema(of: kind), changed))
        }
        return schemas
    }

    private static func sentSchema(of kind: Kind) -> String { "\(OpenAPI.schemaName(kind))Sent" }

    private static func changedSchema(of kind: Kind) -> String { "\(OpenAPI.schemaName(kind))Changed" }

    private static let foundEntry: JSONValue = [
        "oneOf": .array(
            Kind.all.map { kind in
                OpenAPI.object([
                    "record": JSONSchema.identifier, "kind": ["const": .string(kind.name)],
                    "entry": OpenAPI.reference("\(OpenAPI.schemaName(kind))Kept"),
                ])
            }
        )
    ]
}
