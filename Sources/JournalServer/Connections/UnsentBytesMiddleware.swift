import HealthModel
import Hummingbird

/// Answers 503 while a client leaves too many bytes of earlier responses unread, instead of adding to them.
///
/// A request that comes then is not processed. A response that is larger than the rest of the limit is dropped if
/// the client can ask for it again.
struct UnsentBytesMiddleware: RouterMiddleware {
    let unsent: UnsentBytes

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let isHealthCheck = request.uri.path.hasPrefix("/health/")
        guard isHealthCheck || unsent.hasRoom(for: context.responseChannel) else { throw Problem.unread }
        let response = try await next(request, context)
        let bytes = response.body.contentLength ?? 0
        guard request.method != .head, bytes > 0 else { return response }
        if bytes <= Self.alwaysSent || request.method != .get {
            unsent.reserveAlways(bytes, on: context.responseChannel)
        } else if !unsent.reserve(bytes, on: context.responseChannel) {
            throw Problem.unread
        }
        return response
    }

    /// The size of responses that are always sent, in bytes: problems and health checks.
    private static let alwaysSent = 4 << 10
}

extension Problem {
    fileprivate static var unread: Problem {
        var problem = Problem(
            "busy",
            .serviceUnavailable,
            "too many responses to this connection, this address or all clients are unread; read them, and try again"
        )
        problem.headers[.retryAfter] = "5"
        return problem
    }
}
