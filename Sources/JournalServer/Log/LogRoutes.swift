import EventLog
import HealthJournal
import Hummingbird

/// Routes for the log's checkpoint and proofs, with which auditors verify the log themselves.
///
/// The responses contain only hashes and positions, and are available to every account.
struct LogRoutes {
    let journal: Journal

    func add(to group: RouterGroup<ServerContext>) {
        group.get("log/checkpoint", use: checkpoint)
        group.get("log/proofs/inclusion", use: inclusion)
        group.get("log/proofs/consistency", use: consistency)
    }

    @Sendable private func checkpoint(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        _ = try context.requireCaller()
        return Response(Array(try journal.log.checkpoint().text.utf8), type: .text)
    }

    @Sendable private func inclusion(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["position"])
        _ = try context.requireCaller()
        guard let position = try query.integer("position", in: 1...Int.max) else {
            throw JournalError(.invalid, field: "position", "is required")
        }
        return Response(Array(try journal.log.proof(of: UInt64(position)).text.utf8), type: .text)
    }

    @Sendable private func consistency(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["from"])
        _ = try context.requireCaller()
        guard let from = try query.integer("from", in: 1...Int.max) else {
            throw JournalError(.invalid, field: "from", "is required")
        }
        return Response(Array(try journal.log.proof(thatExtends: UInt64(from)).text.utf8), type: .text)
    }
}
