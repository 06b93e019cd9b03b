import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes to add, list, read, correct, retract and restore the entries of a record.
struct EntryRoutes {
    let journal: Journal

    func add(to group: RouterGroup<ServerContext>) {
        group.get("entries/:start", use: find)
        let entries = group.group("records/:record/entries/:kind")
        entries.post(use: add)
        entries.get(use: list)
        entries.get(":entry", use: show)
        entries.put(":entry", use: correct)
        entries.delete(":entry", use: retract)
        entries.post(":entry/restore", use: restore)
        entries.get(":entry/history", use: history)
    }

    @Sendable private func add(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["id", "reason"])
        let (record, kind) = (try context.record(), try context.kind())
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let content = try NativeDocument.content(JSONReader.read(body), of: kind, now: journal.now)
        let result = try await journal.addEntry(
            content,
            to: record,
            id: query.id,
            context.writer(request, body: body, reason: query["reason"])
        )
        let location = result.entry.map { "/v1/records/\(record.text)/entries/\(kind.name)/\($0.text)" }
        return result.response(.created, location: location)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf", "happenedBy", "cursor", "limit", "retracted"])
        let page = try query.page
        let answer = try await journal.read(
            context.record(),
            ReadOptions(
                asOf: query.asOf,
                happenedBy: query.happenedBy,
                kinds: [context.kind()],
                includesRetracted: query.flag("retracted"),
                page: page
            ),
            as: .entries,
            context.requireCaller()
        ) { answer in
            let entries = answer.state.entries
            let cursor = entries.count < page.limit ? nil : entries.last?.added.position
            return JSONWriter.bytes(.page("entries", entries.map(NativeDocument.entry), cursor: cursor))
        }
        return Response(answer.bytes, type: .json)
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf"])
        let state = try await journal.entry(
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
    @Sendable private func find(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf"])
        let state = try await journal.entry(
            named: context.parameters.get("start") ?? "",
            asOf: query.asOf,
            context.requireCaller()
        )
        return Response(
            .object([
                .init("record", .string(state.record.text)), .init("kind", .string(state.kind.name)),
                .init("entry", NativeDocument.entry(state)),
            ])
        )
        .tagged(state.latest.position)
    }

    @Sendable private func correct(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let content = try NativeDocument.content(JSONReader.read(body), of: context.kind(), now: journal.now)
        return
            try await journal.correctEntry(
                context.entry(),
                expecting: expected(request, context),
                context.writer(request, body: body, reason: query["reason"])
            ) { $0 = content }
            .response()
    }

    @Sendable private func retract(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        return
            try await journal.retractEntry(
                context.entry(),
                expecting: expected(request, context),
                context.writer(request, reason: query["reason"])
            )
            .response()
    }

    @Sendable private func restore(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        return
            try await journal.restoreEntry(
                context.entry(),
                expecting: expected(request, context),
                context.writer(request, reason: query["reason"])
            )
            .response()
    }

    @Sendable private func history(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let events = try await journal.history(
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
