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
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        response.headers[.contentSecurityPolicy] =
            response.headers[.contentSecurityPolicy] ?? "default-src 'none'; frame-ancestors 'none'"
        return response
    }
}
