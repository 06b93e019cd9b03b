import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// The JSON Schemas of entries and of the events that become entries; public: they contain no personal data.
struct SchemaRoutes: Routes {
    let services: Services

    static let operations: [Operation] =
        [
            Operation(
                method: .get,
                path: "/schemas",
                id: "listSchemas",
                summary: "List the JSON Schemas of entries and of the events that create them",
                tag: .ingest,
                answers: [.json("SchemaList", "The addresses of the schemas, by kind.")],
                problems: [.invalid],
                isPublic: true,
                handler: list
            ),
            Operation(
                method: .get,
                path: "/schemas/{type}",
                id: "showEventSchema",
                summary: "Show the schema of an event's data, or, with `.event` after its type, of the whole event",
                tag: .ingest,
                answers: [schemaAnswer],
                problems: [.invalid, .notFound],
                isPublic: true,
                handler: event
            ),
        ]
        + Kind.all.map { kind in
            Operation(
                method: .get,
                path: "/schemas/entries/{kind}",
                kind: kind,
                id: "show\(OpenAPI.schemaName(kind))Schema",
                summary: "Show the schema of an entry: \(kind.name)",
                tag: .ingest,
                answers: [schemaAnswer],
                problems: [.invalid],
                isPublic: true,
                handler: entry
            )
        }

    private static let schemaAnswer = AnswerDescription(
        description: "A JSON Schema (draft 2020-12).",
        content: [("application/schema+json", "JSONSchema")]
    )

    static let schemas: [JSONValue.Member] = [
        .init(
            "SchemaList",
            OpenAPI.list(
                "schemas",
                OpenAPI.object(
                    ["type": ["type": "string"], "data": ["type": "string"], "event": ["type": "string"]],
                    optional: ["kind": ["type": "string"], "entry": ["type": "string"]]
                )
            )
        ),
        .init("JSONSchema", ["type": "object", "required": ["$schema", "$id"]]),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let schemas = Kind.all.map { kind in
            JSONValue.object([
                .init("kind", .string(kind.name)), .init("type", .string(kind.eventType)),
                .init("data", .string("/schemas/\(kind.eventType)")),
                .init("event", .string("/schemas/\(kind.eventType).event")),
                .init("entry", .string("/schemas/entries/\(kind.name)")),
            ])
        }
        let others = ClinicEvent.allCases.map { known in
            JSONValue.object([
                .init("type", .string(known.rawValue)), .init("data", .string("/schemas/\(known.rawValue)")),
                .init("event", .string("/schemas/\(known.rawValue).event")),
            ])
        }
        return Response(.object([.init("schemas", .array(schemas + others))]))
    }

    /// Returns the schema of an event type's data, or, with the suffix `.event`, the schema of the whole event.
    private func event(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let type = context.parameters.get("type") ?? ""
        if let kind = Kind.ofEvent(type: type) { return Response(JSONSchema.data(of: kind), type: .schema) }
        if let known = ClinicEvent(rawValue: type) { return Response(JSONSchema.data(of: known), type: .schema) }
        let whole = type.hasSuffix(".event") ? String(type.dropLast(6)) : ""
        if let kind = Kind.ofEvent(type: whole) { return Response(JSONSchema.cloudEvent(of: kind), type: .schema) }
        guard let known = ClinicEvent(rawValue: whole) else {
            throw JournalError(.notFound, "there is no such type of event; GET /schemas lists them")
        }
        return Response(JSONSchema.cloudEvent(of: known), type: .schema)
    }

    private func entry(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        Response(JSONSchema.entry(of: try context.kind()), type: .schema)
    }
}
