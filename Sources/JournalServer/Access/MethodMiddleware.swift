import HTTPTypes
import HealthModel
import Hummingbird

/// Responds with status 405 and the allowed methods when only the method of a request is wrong.
///
/// The middleware is added to the router after all routes, so it runs only for requests that no route matches.
struct MethodMiddleware: RouterMiddleware {
    private let routes: [Route]

    private struct Route {
        let path: RouterPath
        let method: HTTPRequest.Method
    }

    init(_ router: Router<ServerContext>) {
        routes = router.routes.map { Route(path: $0.path, method: $0.method) }
    }

    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let methods = methods(at: request.uri.path)
        guard !methods.isEmpty else { return try await next(request, context) }
        var problem = Problem(
            ProblemType.method.rawValue,
            .methodNotAllowed,
            "this address accepts \(methods.joined(separator: ", "))"
        )
        problem.headers[.allow] = methods.joined(separator: ", ")
        throw problem
    }

    private func methods(at path: String) -> [String] {
        let parts = path.split(separator: "/")
        let matching = routes.filter { $0.path.count == parts.count && zip($0.path, parts).allSatisfy { $0 ~= $1 } }
        // Of several paths that match, the router takes the one that has a fixed part where others have a parameter.
        let fixed = matching.map { zip($0.path, parts).map { $0 == .path($1) ? 1 : 0 } }
        let taken = fixed.max { $0.lexicographicallyPrecedes($1) }
        var methods = Set(zip(matching, fixed).filter { $0.1 == taken }.map(\.0.method.rawValue))
        // The router generates HEAD endpoints for GET routes.
        if methods.contains("GET") { methods.insert("HEAD") }
        return methods.sorted()
    }
}
