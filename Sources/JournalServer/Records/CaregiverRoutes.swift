import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the caregivers of a record.
struct CaregiverRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/caregivers",
            id: "listCaregivers",
            summary: "List who has or had access to a record",
            tag: .caregivers,
            parameters: [.asOf],
            answers: [.json("Grants", "All grants of the record.")],
            problems: [.erased],
            handler: list
        ),
        Operation(
            method: .put,
            path: "/v1/records/{record}/caregivers/{account}",
            id: "grantAccess",
            summary: "Grant an account access; with If-Match, the position of its grant, change the grant",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey, .ifMatch],
            body: BodyDescription(schema: "GrantTerms", examples: termsExamples),
            answers: [.written],
            problems: [.conflict, .stale, .erased],
            handler: grant
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/caregivers/{account}",
            id: "revokeAccess",
            summary: "Revoke an account's access, effective from the next request",
            tag: .caregivers,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: revoke
        ),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let grants = try await journal.grants(of: context.record(), asOf: query.asOf, context.requireCaller())
        return Response(["caregivers": .array(grants.map { journal.document(of: $0).json })])
    }

    private func grant(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let terms = try GrantTerms(request: JSONReader.read(body))
        return
            try await journal.grant(
                terms,
                to: context.account(),
                on: context.record(),
                replacing: request.replacedGrant(),
                context.writer(request, body: body, reason: query[.reason])
            )
            .response()
    }

    private func revoke(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await journal.revoke(
            context.account(),
            on: context.record(),
            context.writer(request, reason: query[.reason])
        )
        .response()
    }
}

extension CaregiverRoutes {
    private static let termsExamples: [Example] = [
        (
            "monday",
            [
                "sections": ["myhealth", "doctorlist"], "verbs": ["read", "contribute"], "from": "2024-02-16",
                "until": .null,
            ]
        )
    ]
}

extension Request {
    /// The grant that the client has seen and intends to replace; any grant with `*`, and none without the header.
    func replacedGrant() throws -> GrantReplacement {
        guard headers[.ifMatch] != nil else { return .none }
        return try expectedVersion().map { .given(at: $0) } ?? .any
    }
}
