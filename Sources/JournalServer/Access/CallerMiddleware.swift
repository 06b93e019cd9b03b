import Hummingbird

/// Requires an authenticated caller before the request is processed, so that the body of an anonymous request is not
/// read.
struct CallerMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        _ = try context.requireCaller()
        return try await next(request, context)
    }
}
