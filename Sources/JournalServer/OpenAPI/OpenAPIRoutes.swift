import Hummingbird

/// The description of the service, which says nothing of anybody and is for whoever asks.
struct OpenAPIRoutes {
    func add(to router: some RouterMethods<ServerContext>) {
        router.get("openapi.json", use: document)
    }

    @Sendable private func document(_ request: Request, _ context: ServerContext) async throws -> Response {
        Response(OpenAPI.bytes, type: .json)
    }
}
