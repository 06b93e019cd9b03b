import Hummingbird
import Interchange

/// Serves the OpenAPI description; public, because it contains no personal data.
struct OpenAPIRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/openapi.json",
            id: "describe",
            summary: "Show this description",
            tag: .service,
            answers: [.json("Description", "OpenAPI 3.1.")],
            isPublic: true,
            handler: document
        )
    ]

    static let schemas: [JSONValue.Member] = [
        .init("Description", ["type": "object", "required": ["openapi", "info", "paths"]])
    ]

    private func document(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        Response(shared: OpenAPI.bytes, type: .json)
    }
}
