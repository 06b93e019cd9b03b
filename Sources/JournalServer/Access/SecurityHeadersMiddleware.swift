import HTTPTypes
import Hummingbird

/// Adds security headers: by default no caching, no content sniffing, no referrer, and a strict content security
/// policy.
struct SecurityHeadersMiddleware: RouterMiddleware {
    /// Whether responses tell browsers to use only HTTPS (Strict-Transport-Security).
    var isStrict = false

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.cacheControl] = response.headers[.cacheControl] ?? "no-store"
        response.headers.append(SecurityHeadersMiddleware.noGuessing)
        if isStrict { response.headers.append(SecurityHeadersMiddleware.strictTransport) }
        if response.headers[.referrerPolicy] == nil { response.headers.append(SecurityHeadersMiddleware.noReferrer) }
        response.headers[.contentSecurityPolicy] =
            response.headers[.contentSecurityPolicy] ?? "default-src 'none'; frame-ancestors 'none'"
        return response
    }

    /// Stored because creating a field validates its value.
    private static let noGuessing = HTTPField(name: .xContentTypeOptions, value: "nosniff")
    /// One year, without `includeSubDomains`.
    private static let strictTransport = HTTPField(name: .strictTransportSecurity, value: "max-age=31536000")
    private static let noReferrer = HTTPField(name: .referrerPolicy, value: "no-referrer")
}
