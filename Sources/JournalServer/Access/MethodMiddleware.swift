import HTTPTypes
import Hummingbird

/// Tells whoever asks with a wrong method which ones there are.
///
/// Added to a router behind all of its routes it stands before none of them: only what no route answers comes by.
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
            "this address takes \(methods.joined(separator: ", "))"
        )
        problem.headers[.allow] = methods.joined(separator: ", ")
        throw problem
    }

    private func methods(at path: String) -> [String] {
        let parts = path.split(separator: "/")
        var methods = Set(
            routes.lazy
                .filter { $0.path.count == parts.count && zip($0.path, parts).allSatisfy { $0 ~= $1 } }
                .map(\.method.rawValue)
        )
        // The router makes these of those.
        if methods.contains("GET") { methods.insert("HEAD") }
        return methods.sorted()
    }
}
