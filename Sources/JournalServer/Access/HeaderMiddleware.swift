import HealthModel
import Hummingbird

/// Rejects requests with a header value that is longer than any valid one.
struct HeaderMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if let field = request.headers.first(where: { $0.value.utf8.count > HeaderLimits.value }) {
            throw Problem(
                "invalid",
                .badRequest,
                "is longer than \(HeaderLimits.value) bytes",
                field: String(field.name.rawName.prefix(100))
            )
        }
        return try await next(request, context)
    }
}

/// Limits on the headers of a request.
enum HeaderLimits {
    /// Bytes of one value; tokens of sign-in providers are the longest.
    static let value = 8 << 10
    /// Limits of the HTTP/1.1 parser, which closes the connection beyond them: bytes of one field, bytes of all fields,
    /// and the number of fields.
    static let field = 16 << 10
    static let all = 32 << 10
    static let count = 100
}
