import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for the owners of a record and for its transfer to another account.
struct OwnerRoutes {
    let journal: Journal

    func add(to group: RouterGroup<ServerContext>) {
        group.get("records/:record/owners", use: list)
        group.put("records/:record/owners/:account", use: add)
        group.delete("records/:record/owners/:account", use: remove)
        group.post("records/:record/transfer", use: transfer)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["asOf"])
        let owners = try await journal.owners(of: context.record(), asOf: query.asOf, context.requireCaller())
        let shown = owners.map { owner in
            JSONValue.object(
                [.init("account", .string(owner.text))]
                    + (journal.name(of: owner).map { [.init("name", .string($0))] } ?? [])
            )
        }
        return Response(.object([.init("owners", .array(shown))]))
    }

    @Sendable private func add(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let caller = try context.writer(request, reason: query["reason"])
        return try await journal.addOwner(context.account(), to: context.record(), caller).response()
    }

    @Sendable private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let caller = try context.writer(request, reason: query["reason"])
        return try await journal.removeOwner(context.account(), from: context.record(), caller).response()
    }

    @Sendable private func transfer(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["to"])
        guard let account = UUID(uuidString: try document.text("to")) else {
            throw JournalError(.invalid, field: "to", "must be the id of an account")
        }
        let caller = try context.writer(request, body: document.bytes, reason: query["reason"])
        return try await journal.transfer(context.record(), to: account, caller).response()
    }
}
