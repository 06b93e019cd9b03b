import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes that settle findings about interactions, and load rules for their checks.
struct InteractionRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/records/{record}/interactions/{entry}/resolution",
            id: "resolveFinding",
            summary: "Settle a finding",
            tag: .care,
            parameters: [.ifMatch, .idempotencyKey],
            body: BodyDescription(
                schema: "FindingResolution",
                examples: [("asked", ["resolution": "askedProfessional", "reason": "Dr. Rossi, 3 May"])]
            ),
            answers: [.json("Written", "The finding is settled.", headers: [.eTag])],
            problems: [.conflict, .stale, .erased],
            handler: resolve
        ),
        Operation(InteractionEndpoints.rules),
        Operation(
            method: .post,
            path: "/v1/interaction-rules",
            id: "loadInteractionRules",
            summary: "Load a rule set for the check of interactions",
            description: """
                It replaces an earlier one of the same name; a file that is loaded already changes nothing. With \
                `{"starter": true}` the rules that come with the program are loaded. No pharmacist has reviewed them.
                """,
            tag: .care,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "InteractionRules", examples: [("starter", ["starter": true])]),
            answers: [.json("LoadedRules", "The rule set that is used from now on.", headers: [.eTag])],
            problems: [.refused, .conflict],
            handler: load
        ),
    ]

    static let schemas: [JSONValue.Member] = [
        .init(
            "FindingResolution",
            JSONSchema.object([
                "resolution": JSONSchema.word(of: Interaction.Resolution.self),
                "reason": ["allOf": [JSONSchema.plainText(maximum: Limits.reason), ["pattern": "\\S"]]],
            ])
        ),
        .init("LoadedRulesList", OpenAPI.list("rules", LoadedRulesDocument.schema)),
        .init(
            "LoadedRules",
            OpenAPI.written("The rule set that was loaded.", and: ["rules": LoadedRulesDocument.schema])
        ),
        .init("InteractionRuleSet", RuleSetDocument.schema),
        .init("InteractionRules", ["anyOf": [starter, OpenAPI.reference("InteractionRuleSet")]]),
    ]

    /// Names the rules that come with the program.
    private static let starter = JSONSchema.object(["starter": ["const": true]])

    private func resolve(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["resolution", "reason"])
        let word = try document.text("resolution")
        guard let resolution = Interaction.Resolution(rawValue: word) else {
            let words = Interaction.Resolution.allCases.map(\.rawValue).joined(separator: ", ")
            throw JournalError(.invalid, field: "resolution", "must be one of \(words)")
        }
        let expected = ExpectedEntry(record: try context.record(), position: try request.expectedVersion())
        let writer = try context.writer(request, body: document.bytes, reason: try document.text("reason"))
        return try await journal.interactionChecks.resolve(context.entry(), as: resolution, expecting: expected, writer)
            .response()
    }

    /// Authorizes the caller before it reads the file, so that a refused upload is not held in memory.
    private func load(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await journal.access.require(.administer(.manage), context.requireCaller())
        try request.requireMediaType(["application/json"])
        let limit = RuleSetDocument.maximumBytes
        try request.requireLength(atMost: limit)
        let reason = query[.reason]
        let result = try await services.long.run(services.long.imports, context) { [journal] in
            let body = try await request.bytes(atMost: limit, within: BodyLimits.duration(of: limit))
            let isStarter = body.count < 100 && (try? JSONReader.read(body)) == ["starter": true]
            return try await journal.interactionChecks.loadRules(
                isStarter ? RuleSetDocument.starter : body,
                context.writer(request, body: body, reason: reason)
            )
        }
        return result.write.response(adding: [.init("rules", result.rules.json)])
    }
}
