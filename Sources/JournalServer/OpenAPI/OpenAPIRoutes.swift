import Hummingbird

/// Serves the OpenAPI description; public, because it contains no personal data.
struct OpenAPIRoutes {
    func add(to router: some RouterMethods<ServerContext>) {
        router.get("openapi.json", use: document)
    }

    @Sendable private func document(_ request: Request, _ context: ServerContext) async throws -> Response {
        Response(OpenAPI.bytes, type: .json)
    }
}
