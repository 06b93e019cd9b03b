import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// The JSON Schemas of entries and of the events that become entries; public: they contain no personal data.
struct SchemaRoutes {
    func add(to router: Router<ServerContext>) {
        router.get("schemas", use: list)
        router.get("schemas/:type", use: event)
        router.get("schemas/entries/:kind", use: entry)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let schemas = Kind.all.map { kind in
            JSONValue.object([
                .init("kind", .string(kind.name)), .init("type", .string(kind.eventType)),
                .init("data", .string("/schemas/\(kind.eventType)")),
                .init("event", .string("/schemas/\(kind.eventType).event")),
                .init("entry", .string("/schemas/entries/\(kind.name)")),
            ])
        }
        return Response(.object([.init("schemas", .array(schemas))]))
    }

    /// Returns the schema of an event type's data, or, with the suffix `.event`, the schema of the whole event.
    @Sendable private func event(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let type = context.parameters.get("type") ?? ""
        if let kind = Kind.ofEvent(type: type) { return Response(JSONSchema.data(of: kind), type: .schema) }
        guard type.hasSuffix(".event"), let kind = Kind.ofEvent(type: String(type.dropLast(6))) else {
            throw JournalError(.notFound, "there is no such type of event; GET /schemas lists them")
        }
        return Response(JSONSchema.cloudEvent(of: kind), type: .schema)
    }

    @Sendable private func entry(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        return Response(JSONSchema.entry(of: try context.kind()), type: .schema)
    }
}
