import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the owners of a record and for its transfer to another account.
struct OwnerRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/records/{record}/owners",
            id: "listOwners",
            summary: "List who owns a record",
            tag: .owners,
            parameters: [.asOf],
            answers: [.json("Owners", "The owners.")],
            problems: [.erased],
            handler: list
        ),
        Operation(
            method: .put,
            path: "/v1/records/{record}/owners/{account}",
            id: "addOwner",
            summary: "Add an owner to a record",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: add
        ),
        Operation(
            method: .delete,
            path: "/v1/records/{record}/owners/{account}",
            id: "removeOwner",
            summary: "Remove an owner from a record; the last one cannot be removed",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict, .erased],
            handler: remove
        ),
        Operation(
            method: .post,
            path: "/v1/records/{record}/transfer",
            id: "transferRecord",
            summary: "Transfer a record to another owner, for example when a pet is given away",
            tag: .owners,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "Transfer", examples: transferExamples),
            answers: [.written],
            problems: [.conflict, .erased],
            handler: transfer
        ),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let owners = try await journal.owners(of: context.record(), asOf: query.asOf, context.requireCaller())
        return Response([
            "owners": .array(owners.map { OwnerDocument(account: $0, name: journal.name(of: $0)).json })
        ])
    }

    private func add(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.addOwner(context.account(), to: context.record(), caller).response()
    }

    private func remove(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.writer(request, reason: query[.reason])
        return try await journal.removeOwner(context.account(), from: context.record(), caller).response()
    }

    private func transfer(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["to"])
        guard let account = UUID(uuidString: try document.text("to")) else {
            throw JournalError(.invalid, field: "to", "must be the id of an account")
        }
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        return try await journal.transfer(context.record(), to: account, caller).response()
    }
}

extension OwnerRoutes {
    private static let transferExamples: [Example] = [
        ("breeder", ["to": "01890a5d-ac96-774b-bcce-b302099a8057"])
    ]
}
