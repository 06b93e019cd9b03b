import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird

/// Finds out who asks.
///
/// A request that shows nothing goes on without a caller: the route says whether it needs one.
struct AuthenticationMiddleware: RouterMiddleware {
    let journal: Journal

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let shown = request.headers[.authorization] {
            guard let secret = shown.bearerToken else {
                throw JournalError(.unauthenticated, "the header Authorization must read: Bearer hj_…")
            }
            let purpose = request.headers[.purpose] ?? ""
            let correlation = request.headers[.traceparent].flatMap(TraceContext.correlation)
            let renew = { @Sendable [journal] () throws(JournalError) in
                var caller = try journal.authenticate(secret, source: .http, purpose: purpose)
                caller.correlation = correlation
                return caller
            }
            context.caller = try renew()
            context.renew = renew
        }
        return try await next(request, context)
    }
}

extension String {
    fileprivate var bearerToken: String? {
        let parts = split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }
}
