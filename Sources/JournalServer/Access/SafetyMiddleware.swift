import HTTPTypes
import Hummingbird

/// Tells browsers and whatever lies between to keep nothing, guess nothing and pass nothing on.
struct SafetyMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
        response.headers.append(SafetyMiddleware.noGuessing)
        if response.headers[.referrerPolicy] == nil { response.headers.append(SafetyMiddleware.noReferrer) }
        response.headers[.contentSecurityPolicy] =
            response.headers[.contentSecurityPolicy] ?? "default-src 'none'; frame-ancestors 'none'"
        return response
    }

    /// Made once: each is looked through for what must not stand in a field.
    private static let noGuessing = HTTPField(name: .xContentTypeOptions, value: "nosniff")
    private static let noReferrer = HTTPField(name: .referrerPolicy, value: "no-referrer")
}
