import EventLog
import HealthJournal
import Hummingbird

/// Routes for the log's checkpoint and proofs, with which auditors verify the log themselves.
///
/// The responses contain only hashes and positions, and are available to every account.
struct LogRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/log/checkpoint",
            id: "showCheckpoint",
            summary: "Show the size and the root of the log, signed",
            tag: .log,
            answers: [.text("A checkpoint, as a signed note.")],
            handler: checkpoint
        ),
        Operation(
            method: .get,
            path: "/v1/log/proofs/inclusion",
            id: "proveInclusion",
            summary: "Prove that an event is in the log",
            tag: .log,
            parameters: [.position],
            answers: [.text("A proof for `healthjournal-replay check-proof`.")],
            problems: [.notFound],
            handler: inclusion
        ),
        Operation(
            method: .get,
            path: "/v1/log/proofs/consistency",
            id: "proveConsistency",
            summary: "Prove that the log has only been appended to since it had a given size",
            tag: .log,
            parameters: [.from],
            answers: [.text("A proof for `healthjournal-replay check-proof`.")],
            problems: [.notFound],
            handler: consistency
        ),
    ]

    private func checkpoint(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        _ = try context.requireCaller()
        return Response(Array(try journal.checkpoint().text.utf8), type: .text)
    }

    private func inclusion(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        _ = try context.requireCaller()
        let position = try query.required(.position)
        return Response(Array(try journal.proof(of: UInt64(position)).text.utf8), type: .text)
    }

    private func consistency(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        _ = try context.requireCaller()
        let from = try query.required(.from)
        return Response(Array(try journal.proof(thatExtends: UInt64(from)).text.utf8), type: .text)
    }
}
