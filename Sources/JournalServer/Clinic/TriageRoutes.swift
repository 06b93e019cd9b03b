import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for triage: the board of a practice, the rules that it adopted, and the changes of a triage.
struct TriageRoutes: Routes {
    let services: Services

    static let operations: [Operation] =
        practiceOperations + triageOperations + TriageWord.allCases.map(changeOperation)

    static let schemas: [JSONValue.Member] =
        [
            .init("TriageRequest", TriageRequest.schema),
            .init("Triage", TriageDocument.schema),
            .init("Triages", OpenAPI.list("triages", of: "Triage")),
            .init("TriageVersions", OpenAPI.list("versions", TriageVersionDocument.schema)),
            .init("TriageExplanation", TriageExplanationDocument.schema),
            .init("TriageRules", TriageRulesDocument.schema),
            .init("TriageStatistics", TriageStatisticsDocument.schema),
            .init("TriageAdoption", adoption),
        ] + TriageWord.allCases.map { .init(schemaName($0), $0.schema) }

    /// Either a rule set of the program or the text of one of the practice, with the signature.
    private static let adoption =
        OpenAPI.object(
            ["veterinarian": JSONSchema.lineText(maximum: Limits.line).merging(["minLength": 1])],
            optional: [
                "rules": [
                    "enum": .array(TriageRules.builtIn.map { .string($0.label) } + [.null]),
                    "description": "A rule set of the program.",
                ],
                "text": ["type": ["string", "null"], "description": "The text of a rule set of the practice."],
            ]
        )
        .merging([
            "oneOf": [
                ["required": ["rules"], "properties": ["rules": ["type": "string"], "text": ["type": "null"]]],
                ["required": ["text"], "properties": ["text": ["type": "string"], "rules": ["type": "null"]]],
            ]
        ])

    private static func schemaName(_ word: TriageWord) -> String {
        "Triage\(word.rawValue.prefix(1).uppercased() + word.rawValue.dropFirst())"
    }

    private static let practiceOperations = [
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/triage",
            id: "showTriageBoard",
            summary: "Show the patients who wait at a practice, the most urgent one first",
            description: TriageRules.notice,
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Triages", "The patients; each is a read of its record.")],
            handler: board
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/triage",
            id: "beginTriage",
            summary: "Put a patient on the board, also as \"Red now\"",
            description: "An animal that is no patient of the practice yet becomes one.",
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "TriageRequest", examples: []),
            answers: [.json("Written", "The patient is on the board.", status: 201, headers: [.eTag])],
            problems: [.conflict, .erased],
            handler: begin
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/triage/arrivals",
            id: "listTriages",
            summary: "List the triages of patients who arrived on some days",
            tag: .clinic,
            parameters: [.firstShownDay, .lastShownDay, .asOf],
            answers: [.json("Triages", "The triages, in the order of the arrivals; each is a read of its record.")],
            handler: list
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/triage/statistics",
            id: "showTriageStatistics",
            summary: "Show how soon patients were seen, by level",
            tag: .clinic,
            parameters: [.firstShownDay, .lastShownDay],
            answers: [.json("TriageStatistics", "Numbers without names.")],
            handler: statistics
        ),
        Operation(
            method: .get,
            path: "/v1/practices/{practice}/triage/rules",
            id: "showTriageRules",
            summary: "Show the rule sets of triage: those that the practice adopted, and those of the program",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("TriageRules", "The rule sets.")],
            handler: rules
        ),
        Operation(
            method: .post,
            path: "/v1/practices/{practice}/triage/rules",
            id: "adoptTriageRules",
            summary: "Adopt a rule set, signed by a veterinarian of the practice",
            description: """
                A rule set of the program is named by `rules`; one of the practice is given as `text`, in the form in \
                which this API shows rule sets. No assessment that was made before is changed by it.
                """,
            tag: .clinic,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(
                schema: "TriageAdoption",
                examples: [("builtIn", ["rules": "hj-triage/1", "veterinarian": "Dr. Ada Roth"])]
            ),
            answers: [.written],
            problems: [.conflict],
            handler: adopt
        ),
        Operation(
            method: .get,
            path: "/v1/records/{record}/triage",
            id: "listTriagesOfRecord",
            summary: "List the triages of an animal",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Triages", "The triages, in the order of the arrivals.")],
            problems: [.erased],
            handler: ofRecord
        ),
    ]

    private static let triageOperations = [
        Operation(
            method: .get,
            path: "/v1/triage/{triage}",
            id: "showTriage",
            summary: "Show a triage, as far as the reader may see it",
            tag: .clinic,
            parameters: [.asOf],
            answers: [.json("Triage", "The triage.", headers: [.eTag])],
            handler: show
        ),
        Operation(
            method: .get,
            path: "/v1/triage/{triage}/history",
            id: "showTriageHistory",
            summary: "Show each version of a triage, and who made it",
            tag: .clinic,
            answers: [.json("TriageVersions", "The versions, the first one first.")],
            handler: history
        ),
        Operation(
            method: .get,
            path: "/v1/triage/{triage}/explanation",
            id: "explainTriage",
            summary: "Compute the assessment of a triage again, with its own rule set or with another one",
            tag: .clinic,
            parameters: [.triageRules, .asOf],
            answers: [.json("TriageExplanation", "What was stored, and what the computation gives now.")],
            handler: explain
        ),
    ]

    private static func changeOperation(_ word: TriageWord) -> Operation {
        Operation(
            method: .post,
            path: "/v1/triage/{triage}/\(word.rawValue)",
            id: "\(word.rawValue)Triage",
            summary: word.summary,
            tag: .clinic,
            parameters: [.reason, .ifMatch, .idempotencyKey],
            body: BodyDescription(schema: schemaName(word), examples: [(word.rawValue, word.example)]),
            answers: [.written],
            problems: [.conflict, .stale],
            handler: { (routes: TriageRoutes) in { try await routes.change(word, $0, $1, $2) } }
        )
    }

    private func board(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.triageBoard(of: context.practice(), asOf: query.asOf, context.requireCaller())
        return Response(["triages": .array(found.map(\.document.json))])
    }

    private func begin(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        let asked = try TriageRequest.read(object, in: context.practice())
        let result = try await journal.beginTriage(asked, caller)
        return result.response(.created, location: result.entry.map { "/v1/triage/\($0.text)" })
    }

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.triages(
            of: context.practice(),
            days: query.days(),
            asOf: query.asOf,
            context.requireCaller()
        )
        return Response(["triages": .array(found.map(\.document.json))])
    }

    private func statistics(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.triageStatistics(
            of: context.practice(),
            days: query.days(),
            context.requireCaller()
        )
        return Response(found.document.json)
    }

    private func rules(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let rules = try await journal.triageRules(of: context.practice(), asOf: query.asOf, context.requireCaller())
        return Response(TriageRulesDocument(rules).json)
    }

    private func adopt(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let (object, caller) = try await request.object(context, query)
        try object.requireMembers(["rules", "text", "veterinarian"])
        let rules = try TriageRules.asked(label: object.text("rules"), text: object.text("text")?.withUnixLines)
        let veterinarian = try object.required("veterinarian")
        return try await journal.adoptTriageRules(rules, by: veterinarian, in: context.practice(), caller).response()
    }

    private func ofRecord(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.triages(of: context.record(), asOf: query.asOf, context.requireCaller())
        return Response(["triages": .array(found.map(\.document.json))])
    }

    private func show(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let answer = try await journal.triage(context.triage(), asOf: query.asOf, context.requireCaller())
        return Response(answer.document.json).tagged(answer.state.updated.position)
    }

    private func history(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let versions = try await journal.versions(ofTriage: context.triage(), context.requireCaller())
        return Response(["versions": .array(versions.map(\.document.json))])
    }

    private func explain(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let found = try await journal.explainTriage(
            context.triage(),
            rules: query[.triageRules],
            asOf: query.asOf,
            context.requireCaller()
        )
        return Response(found.document.json)
    }

    private func change(
        _ word: TriageWord,
        _ request: Request,
        _ context: ServerContext,
        _ query: Query
    ) async throws -> Response {
        let triage = try context.triage()
        let (object, caller) = try await request.object(context, query)
        let change = try word.change(object)
        return try await journal.changeTriage(triage, expecting: request.expectedVersion(), change, caller).response()
    }
}

extension Parameter {
    fileprivate static let triageRules = Parameter(
        .query,
        "rules",
        component: "triageRules",
        "The rule set, such as `hj-triage/1`; by default that of the assessment.",
        schema: ["type": "string"]
    )
}
