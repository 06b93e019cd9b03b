import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// The route that searches the profiles and the entries of records.
struct SearchRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/search",
            id: "search",
            summary: "Search the profiles and the entries of records",
            description: """
                All words must be found in an entry, its kind, its date, or the name of its record; a word is found where \
                one begins with it. Case and accents do not count. If nothing matches as typed, words of \
                \(NameQuery.lettersForError) letters or more may have one typing error. What is searched is in the body, \
                because addresses are written to logs. The search is audited in each record that was searched.
                """,
            tag: .records,
            body: BodyDescription(
                schema: "SearchRequest",
                examples: [
                    ("words", ["text": "rabies"]),
                    (
                        "lastYear",
                        ["text": "invoice dentist", "kinds": ["cost"], "happenedFrom": "2025", "happenedBy": "2025"]
                    ),
                ]
            ),
            answers: [.json("SearchAnswer", "What was found, the latest entries first.")],
            problems: [.refused, .notFound, .erased],
            handler: search
        )
    ]

    static let schemas: [JSONValue.Member] = [
        .init("SearchRequest", SearchRequest.schema),
        .init("SearchAnswer", SearchAnswer.schema(entry: OpenAPI.reference("FoundEntry"))),
    ]

    private func search(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let object = try await NativeObject(JSONReader.read(request.bytes(atMost: BodyLimits.jsonBytes)))
        let asked = try SearchRequest(object)
        let caller = try context.requireCaller()
        let found = try await services.long.run(services.long.searches, context) { [journal] in
            try await journal.records.search(asked, caller).json
        }
        return Response(found)
    }
}
