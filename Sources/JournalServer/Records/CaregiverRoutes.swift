import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the caregivers of a record.
struct CaregiverRoutes {
    let journal: Journal

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/caregivers", use: list)
        group.put("records/:record/caregivers/:account", use: grant)
        group.delete("records/:record/caregivers/:account", use: revoke)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf"])
        let grants = try await journal.grants(of: context.record(), asOf: query.asOf, context.requireCaller())
        let today = journal.today
        let shown = grants.map {
            NativeGrant.write($0, name: journal.name(of: $0.account), giver: journal.name(of: $0.givenBy), today: today)
        }
        return Response(.object([.init("caregivers", .array(shown))]))
    }

    @Sendable private func grant(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        try request.requireMediaType(["application/json"])
        let body = try await request.bytes()
        let terms = try NativeGrant.terms(JSONReader.read(body))
        return
            try await journal.grant(
                terms,
                to: context.account(),
                on: context.record(),
                replacing: request.replacedGrant(),
                context.writer(request, body: body, reason: query["reason"])
            )
            .response()
    }

    @Sendable private func revoke(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        return
            try await journal.revoke(
                context.account(),
                on: context.record(),
                context.writer(request, reason: query["reason"])
            )
            .response()
    }
}

extension Request {
    /// The grant that the client has seen and intends to replace; any grant with `*`, and none without the header.
    func replacedGrant() throws -> GrantReplacement {
        guard headers[.ifMatch] != nil else { return .none }
        return try expectedVersion().map { .given(at: $0) } ?? .any
    }
}
