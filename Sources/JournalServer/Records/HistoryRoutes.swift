import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for a record's history, accesses, costs and export, for retention holds, and for erasure and its receipt.
struct HistoryRoutes {
    let journal: Journal
    let renders: RenderLimiters

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/history", use: history)
        group.get("records/:record/access", use: access)
        group.get("records/:record/costs", use: costs)
        group.get("costs", use: allCosts)
        group.get("records/:record/export", use: export)
        group.put("records/:record/hold", use: hold)
        group.post("records/:record/erase", use: erase)
        group.get("records/:record/receipt", use: receipt)
    }

    @Sendable private func history(_ request: Request, _ context: ServerContext) async throws -> Response {
        let page = try Query(request, ["cursor", "limit"]).page
        let events = try await journal.history(ofRecord: context.record(), page: page, context.requireCaller())
        return events.response(page, journal)
    }

    @Sendable private func access(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["cursor", "limit", "entry"])
        let page = try query.page
        let entry = try query.value("entry") { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be the id of an entry") }
            return id
        }
        let events = try await journal.accesses(
            of: context.record(),
            showing: entry,
            page: page,
            context.requireCaller()
        )
        return events.response(page, journal)
    }

    @Sendable private func costs(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await costs(of: context.record(), request, context)
    }

    @Sendable private func allCosts(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await costs(of: nil, request, context)
    }

    private func costs(of record: UUID?, _ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["year", "currency", "asOf"])
        let year = try query.integer("year", in: 0...9999)
        let currency = try query.currency
        let answers = try await journal.costs(of: record, asOf: query.asOf, context.requireCaller())
        let lines = answers.flatMap { answer in
            CostSheet(answer.totals, year: year.map(Int64.init), currency: currency).lines
                .map { $0.listed(answer.record, displayName: answer.displayName) }
        }
        return Response(.object([.init("costs", .array(lines))]))
    }

    @Sendable private func export(_ request: Request, _ context: ServerContext) async throws -> Response {
        try await RecordExport(journal, renders).answer(request, context)
    }

    @Sendable private func hold(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let body = try await request.json(["until", "reason"])
        let text = try body.text("until")
        let until: Day
        do throws(ModelError) {
            until = try Day(parsing: text)
        } catch {
            throw JournalError(.invalid, field: "until", error.message)
        }
        return
            try await journal.holdRecord(
                context.record(),
                until: until,
                context.writer(request, body: body.bytes, reason: body.text("reason"))
            )
            .response()
    }

    @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let body = try await request.json(["reason"])
        let record = try context.record()
        let result = try await journal.eraseRecord(
            record,
            context.writer(request, body: body.bytes, reason: body.text("reason"))
        )
        return result.response(location: "/v1/records/\(record.text)/receipt")
    }

    @Sendable private func receipt(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let receipt = try await journal.receipt(of: context.record(), context.requireCaller())
        return Response(Array(receipt.text.utf8), type: .text).tagged(receipt.position)
    }
}

extension [RecordedEvent] {
    fileprivate func response(_ page: Page, _ journal: Journal) -> Response {
        Response(.page("events", written(journal), cursor: count < page.limit ? nil : last?.stamp.position))
    }

    /// The events as JSON, with the names of their actors.
    func written(_ journal: Journal) -> [JSONValue] {
        var names: [UUID: String] = [:]
        for actor in Set(map(\.stamp.actor)) { names[actor] = journal.name(of: actor) }
        return map { NativeEvent.write($0, actorName: names[$0.stamp.actor]) }
    }
}
