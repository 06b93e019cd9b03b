import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes that complete names, read dictated sentences, and load lists of names.
struct NameRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(NameEndpoints.suggest),
        Operation(NameEndpoints.draft),
        Operation(NameEndpoints.lists),
        Operation(
            method: .post,
            path: "/v1/names",
            id: "loadNames",
            summary: "Load a list of names, such as the products of a country; it replaces the one of the same name",
            tag: .care,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "NameListRequest",
                examples: [("products", ["name": "national", "version": "2026-03", "text": "Algiphen;ibuprofen;X01"])]
            ),
            answers: [.json("LoadedNames", "The list that is used from now on.", headers: [.eTag])],
            problems: [.refused, .conflict],
            handler: load
        ),
        Operation(
            method: .post,
            path: "/v1/usage",
            id: "reportUsage",
            summary: "Report how often dictated sentences were saved or discarded, for the counters in `/metrics`",
            tag: .service,
            body: BodyDescription(schema: "UsageReport", examples: [("voice", ["saved": 3, "discarded": 1])]),
            answers: [AnswerDescription(status: 204, description: "The uses are counted.")],
            handler: report
        ),
    ]

    static let schemas: [JSONValue.Member] = [
        .init("SuggestionRequest", SuggestionRequest.schema),
        .init("Suggestions", OpenAPI.list("suggestions", SuggestionDocument.schema)),
        .init(
            "DraftRequest",
            JSONSchema.object([
                "text": JSONSchema.lineText(maximum: Draft.maximumText).merging(["minLength": 1])
            ])
        ),
        .init("Draft", DraftDocument.schema),
        .init("NameLists", OpenAPI.list("names", LoadedNamesDocument.schema)),
        .init(
            "LoadedNames",
            OpenAPI.written("The list that was loaded.", and: ["names": LoadedNamesDocument.schema])
        ),
        .init(
            "NameListRequest",
            JSONSchema.object(
                [
                    "name": JSONSchema.lineText(maximum: Limits.line).merging(["minLength": 1]),
                    "text": [
                        "type": "string", "minLength": 1,
                        "description": "The list: a name a line, or `name;synonym,synonym;code`.",
                    ],
                ],
                optional: ["version": JSONSchema.orNull(JSONSchema.lineText(maximum: Limits.line))]
            )
        ),
        .init("UsageReport", JSONSchema.object([:], optional: ["saved": usageCount, "discarded": usageCount])),
    ]

    private static let usageCount = JSONSchema.orNull([
        "type": "integer", "minimum": 0, "maximum": .integer(maximumUses),
    ])
    /// How many uses one report may contain.
    private static let maximumUses = 1_000

    private func load(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        // The body is large, so it is read only for those who may load lists.
        try await journal.access.require(.administer(.manage), context.requireCaller())
        let limit = BodyLimits.formBytes
        let reason = query[.reason]
        let (write, names) = try await services.long.run(services.long.imports, context) { [journal] in
            let body = try await request.bytes(atMost: limit, within: BodyLimits.duration(of: limit))
            let object = try NativeObject(JSONReader.read(body))
            try object.requireMembers(["name", "version", "text"])
            return try await journal.names.loadNames(
                Array(object.required("text").utf8),
                named: object.required("name"),
                version: object.text("version") ?? "",
                context.writer(request, body: body, reason: reason)
            )
        }
        return write.response(adding: [.init("names", names.json)])
    }

    private func report(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let body = try await request.json(UsageCounters.VoiceUse.allCases.map(\.rawValue))
        let counts = try UsageCounters.VoiceUse.allCases.map { use in
            let count = try body.integer(use.rawValue) ?? 0
            guard (0...NameRoutes.maximumUses).contains(count) else {
                throw JournalError(.invalid, field: use.rawValue, "must be in 0...\(NameRoutes.maximumUses)")
            }
            return (use, count)
        }
        for (use, count) in counts { journal.usage.count(use, times: count) }
        return Response(status: .noContent)
    }
}
