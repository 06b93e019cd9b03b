import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for what is due by the plans of a record, what was taken, and what is in stock.
///
/// Plans, doses and supplies are entries: routes of their kinds list, correct and retract them.
struct CareRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/due",
            id: "listDueDoses",
            summary: "List the planned doses of a period with their states, and the doses outside the plans",
            tag: .care,
            parameters: [.firstDay, .endDay, .plan, .asOf, .now],
            answers: [.json("PlannedDoses", "The doses, in the order in which they are due.")],
            problems: [.erased],
            handler: due
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/today",
            id: "showToday",
            summary: "List the doses of a day, and those of the evening before that are still open",
            tag: .care,
            parameters: [.day, .asOf, .now],
            answers: [.json("PlannedDoses", "The doses, and when another dose is possible.")],
            problems: [.erased],
            handler: today
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/adherence",
            id: "showAdherence",
            summary: "Count how many of the planned doses were taken",
            description: """
                `percentage` is the number of doses that were taken, divided by the number of those that were taken, \
                partly taken, skipped or missed, and rounded down. All other doses are only counted: those that were \
                skipped because it was advised, those of a pause or due before their plan was recorded, and those that \
                are open or ahead.
                """,
            tag: .care,
            parameters: [.firstDay, .endDay, .plan, .grouping, .asOf, .now],
            answers: [.json("Adherence", "The counts in all and by group.")],
            problems: [.erased],
            handler: adherence
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/stock",
            id: "showStock",
            summary: "Show what is in stock, and when it runs out",
            tag: .care,
            parameters: [.plan, .asOf, .now],
            answers: [.json("StockList", "The stock of each plan whose stock is counted.")],
            problems: [.erased],
            handler: stock
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/doses",
            id: "logDose",
            summary: "Log a dose that was taken or skipped",
            tag: .care,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "DoseRequest",
                examples: [
                    (
                        "taken",
                        [
                            "of": .string(OpenAPI.exampleMedication), "status": "taken", "amount": "1",
                            "at": "2026-03-02T07:05:00Z",
                        ]
                    )
                ]
            ),
            answers: [
                .json(
                    "LoggedDose",
                    "The dose is durable. `Location` is the address of its entry.",
                    status: 201,
                    headers: [.eTag, .location],
                    links: OpenAPI.entryLinks("Dose")
                )
            ],
            problems: [.conflict, .erased],
            handler: logDose
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/doses/{entry}/undo",
            id: "undoDose",
            summary: "Retract a dose that was logged by mistake",
            tag: .care,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased, .stale],
            handler: undo
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/doses/snoozes",
            id: "snoozeDose",
            summary: "Postpone the reminders of a planned dose, which stays due at its time",
            tag: .care,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "SnoozeRequest", examples: []),
            answers: [.written],
            problems: [.conflict, .erased],
            handler: snooze
        ),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("StockList", OpenAPI.list("stock", of: "Stock")),
        .init(
            "LoggedDose",
            OpenAPI.written(
                "The entry of the dose, and what is unusual about it.",
                and: ["warnings": JSONSchema.array(of: JSONSchema.word(of: DoseWarning.self))]
            )
        ),
    ]

    private func due(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let answer = try await journal.due(of: context.record(), query.period, context.requireCaller())
        return Response(answer.document.json)
    }

    private func today(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        var question = CareQuestion(asOf: try query.asOf, now: try query.now)
        question.from = try query.value(.day) { text throws(ModelError) in try Day(parsing: text) }
        return Response(try await journal.today(of: context.record(), question, context.requireCaller()).document.json)
    }

    private func adherence(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let grouping =
            try query.value(.grouping) { text throws(ModelError) in
                guard let grouping = AdherenceGrouping(rawValue: text) else {
                    let names = AdherenceGrouping.allCases.map(\.rawValue).joined(separator: ", ")
                    throw ModelError(.invalid, "must be one of \(names)")
                }
                return grouping
            } ?? .day
        let answer = try await journal.due(of: context.record(), query.period, context.requireCaller())
        return Response(answer.adherence(by: grouping).json)
    }

    private func stock(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let question = CareQuestion(plan: try query.plan, asOf: try query.asOf, now: try query.now)
        let answers = try await journal.stock(of: context.record(), question, context.requireCaller())
        return Response(["stock": .array(answers.map(\.document.json))])
    }

    private func logDose(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let record = try context.record()
        let body = try await request.bytes()
        let dose = try DoseRequest(NativeObject(JSONReader.read(body)))
        let result = try await journal.logDose(
            dose,
            in: record,
            context.writer(request, body: body, reason: query[.reason])
        )
        let location = result.write.entry.map { "/v1/records/\(record.text)/entries/\(Dose.kind.name)/\($0.text)" }
        return result.write.response(
            .created,
            location: location,
            adding: [.init("warnings", .array(result.warnings.map { .string($0.rawValue) }))]
        )
    }
}

extension CareRoutes {
    private func undo(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let expected = ExpectedEntry(record: try context.record(), position: try request.expectedVersion())
        return
            try await journal.retractDose(
                context.entry(),
                expecting: expected,
                context.writer(request, reason: query[.reason])
            )
            .response()
    }

    private func snooze(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let record = try context.record()
        let body = try await request.bytes()
        let snooze = try SnoozeRequest(NativeObject(JSONReader.read(body)))
        return
            try await journal.snoozeDose(
                snooze.target,
                of: snooze.plan,
                until: snooze.until,
                in: record,
                context.writer(request, body: body, reason: query[.reason])
            )
            .response()
    }
}

extension Query {
    /// The moment at which states of doses hold.
    fileprivate var now: Instant? {
        get throws { try value(.now) { text throws(ModelError) in try Instant(parsing: text) } }
    }

    fileprivate var plan: UUID? {
        get throws {
            try value(.plan) { text throws(ModelError) in
                guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be a UUID") }
                return id
            }
        }
    }

    /// The question of a query on a period.
    fileprivate var period: CareQuestion {
        get throws {
            CareQuestion(
                from: try value(.firstDay) { text throws(ModelError) in try Day(parsing: text) },
                to: try value(.endDay) { text throws(ModelError) in try Day(parsing: text) },
                plan: try plan,
                asOf: try asOf,
                now: try now
            )
        }
    }
}
