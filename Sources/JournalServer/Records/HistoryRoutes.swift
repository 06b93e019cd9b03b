import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for a record's history, accesses, costs and export, for retention holds, and for erasure and its receipt.
struct HistoryRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/history",
            id: "showRecordHistory",
            summary: "Show the history of a record",
            tag: .histories,
            parameters: Parameter.page,
            answers: [.json("EventPage", "A page of the record's events, oldest first.")],
            problems: [.erased],
            handler: history
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/access",
            id: "listAccesses",
            summary: "Show who accessed a record, when, why and by which right, including refused attempts",
            tag: .histories,
            parameters: Parameter.page + [.shownEntry],
            answers: [.json("EventPage", "A page of reads and refusals. Reading it is audited, too.")],
            problems: [.erased],
            handler: access
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/costs",
            id: "showCosts",
            summary: "Add up the costs of a record",
            tag: .histories,
            parameters: [.year, .currency, .asOf],
            answers: [
                .json(
                    "Costs",
                    "A line for each combination of year, currency, basis and category, and sums where they may be added up."
                )
            ],
            problems: [.erased],
            handler: costs
        ),
        Operation(
            method: .get,
            path: "/v1/costs",
            id: "showAllCosts",
            summary: "Add up the costs of all records whose costs the account may see",
            tag: .histories,
            parameters: [.year, .currency, .asOf],
            answers: [.json("Costs", "A line for each record, year, currency, basis and category.")],
            problems: [.notFound],
            handler: allCosts
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/export",
            id: "exportRecord",
            summary: "Export a record",
            tag: .histories,
            parameters: RecordExport.parameters,
            answers: [
                AnswerDescription(
                    description: "The exported record, limited to what the account may see.",
                    content: RecordExport.content,
                    headers: [.disposition]
                )
            ],
            problems: [.erased, .notInstalled, .busy],
            handler: export
        ),
        Operation(RecordEndpoints.hold),
        Operation(
            method: .post,
            path: "/v1/records/{record}/erase",
            id: "eraseRecord",
            summary: "Erase a record permanently: its key is destroyed, so no copy of its data can be read",
            tag: .histories,
            parameters: [.idempotencyKey],
            body: BodyDescription(schema: "Erasure", examples: erasureExamples),
            answers: [
                .json(
                    "Written",
                    "Erased. `Location` is the address of the receipt.",
                    headers: [.eTag, .location],
                    links: [
                        LinkDescription(operation: "showReceipt", parameters: [("record", "$response.body#/record")])
                    ]
                )
            ],
            problems: [.conflict, .erased],
            handler: erase
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/receipt",
            id: "showReceipt",
            summary: "Show the signed receipt of an erasure",
            tag: .histories,
            answers: [.text("The receipt; check it with `healthjournal-replay`.", headers: [.eTag])],
            problems: [.conflict, .erased],
            handler: receipt
        ),
    ]

    private func history(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let page = try query.page
        let events = try await journal.trail.history(ofRecord: context.record(), page: page, context.requireCaller())
        return events.response(page, journal)
    }

    private func access(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let page = try query.page
        let entry = try query.value(.shownEntry) { text throws(ModelError) in
            guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be the id of an entry") }
            return id
        }
        let events = try await journal.trail.accesses(
            of: context.record(),
            showing: entry,
            page: page,
            context.requireCaller()
        )
        return events.response(page, journal)
    }

    private func costs(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await costs(of: context.record(), context, query)
    }

    private func allCosts(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await costs(of: nil, context, query)
    }

    private func costs(of record: UUID?, _ context: ServerContext, _ query: Query) async throws -> Response {
        let year = try query.integer(.year)
        let currency = try query.currency
        let answers = try await journal.records.costs(of: record, asOf: query.asOf, context.requireCaller())
        let lines = answers.flatMap { answer in
            CostSheet(answer.totals, year: year.map(Int64.init), currency: currency).lines
                .map { $0.listed(answer.record, displayName: answer.displayName) }
        }
        return Response(.object([.init("costs", .array(lines))]))
    }

    private func export(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await RecordExport(journal, services.renders, services.languages).answer(request, context, query)
    }

    private func erase(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let body = try await request.json(["reason"])
        let record = try context.record()
        let result = try await journal.erasure.eraseRecord(
            record,
            context.writer(request, body: body.bytes, reason: body.text("reason"))
        )
        return result.response(location: "/v1/records/\(record.text)/receipt")
    }

    private func receipt(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let receipt = try await journal.erasure.receipt(of: context.record(), context.requireCaller())
        return Response(Array(receipt.text.utf8), type: .text).tagged(receipt.position)
    }
}

extension HistoryRoutes {
    static let schemas: [JSONValue.Member] = [.init("Costs", costsSchema)]

    private static let costsSchema: JSONValue = [
        "type": "object",
        "required": ["costs"],
        "properties": ["costs": ["type": "array", "items": costLine]],
        "additionalProperties": false,
    ]

    private static let costLine: JSONValue = [
        "type": "object",
        "required": ["record", "displayName", "year", "currency", "basis", "amount", "entries"],
        "properties": [
            "record": JSONSchema.identifier,
            "displayName": ["type": "string"],
            "year": ["type": "integer"],
            "currency": ["type": ["string", "null"]],
            "basis": ["enum": [.string(Cost.total), .string(Cost.item)]],
            "category": ["type": ["string", "null"]],
            "sumOfCategories": ["type": "boolean", "description": "The line is the sum of the categories above it."],
            "amount": ["type": "string", "description": "Exact, without an exponent."],
            "entries": ["type": "integer", "minimum": 1, "description": "The number of entries in the sum."],
        ],
        "additionalProperties": false,
    ]

    private static let erasureExamples: [Example] = [
        ("wish", ["reason": "the subject asked for it in writing on 16 February 2024"])
    ]
}

extension [RecordedEvent] {
    fileprivate func response(_ page: Page, _ journal: Journal) -> Response {
        Response(.page("events", written(journal), cursor: count < page.limit ? nil : last?.stamp.position))
    }

    /// The events as JSON, with the names of their actors.
    func written(_ journal: Journal) -> [JSONValue] {
        var names: [UUID: String] = [:]
        for actor in Set(map(\.stamp.actor)) { names[actor] = journal.accounts.name(of: actor) }
        return map { NativeEvent.write($0, actorName: names[$0.stamp.actor]) }
    }
}
