import Hummingbird

/// Asks who it is before anything of the request is read: a stranger's body costs nothing.
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
