import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import NIOCore

/// The OpenAPI 3.1 description of the service, for clients and their generators.
///
/// Kinds, their fields and their limits come from the same descriptions as validation, the command line and the JSON
/// codec. The paths come from the operations that the router registers, and each test of a route checks its responses
/// against this description.
enum OpenAPI {
    /// The groups of routes, in the order in which the description shows them.
    static let routes: [any OperationGroup.Type] = [
        RecordRoutes.self, EntryRoutes.self, CareEndpoints.self, InteractionEndpoints.self, InteractionRoutes.self,
        CalendarRoutes.self,
        ChannelRoutes.self, DocumentRoutes.self, ImportRoutes.self, CaregiverEndpoints.self, InvitationEndpoints.self,
        OwnerEndpoints.self, EmergencyEndpoints.self, HistoryRoutes.self, SessionRoutes.self, AccountEndpoints.self,
        AccountSettingsEndpoints.self, IngestRoutes.self, FeedRoutes.self, SchemaRoutes.self, LogRoutes.self,
        OpenAPIRoutes.self, OperationsRoutes.self, NameRoutes.self, SearchRoutes.self, RepairRoutes.self,
        ErasureRoutes.self,
        SyncRoutes.self,
        PracticeEndpoints.self,
        AppointmentEndpoints.self, TriageEndpoints.self, ClientEndpoints.self, PatientEndpoints.self,
    ]

    static let operations: [Operation] = routes.flatMap { $0.operations }

    /// The document and its bytes, which never change while the service runs.
    static let document: JSONValue = [
        "openapi": "3.1.0",
        "jsonSchemaDialect": .string(JSONSchema.dialect),
        "info": [
            "title": "HealthJournal",
            "version": "1",
            "summary": "An event-sourced health journal.",
            "description": .string(introduction),
        ],
        "servers": [["url": "/", "description": "The service that returned this document."]],
        "security": [["token": []], ["session": []]],
        "tags": .array(
            OperationTag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.description)] }
        ),
        "paths": paths,
        "components": [
            "securitySchemes": [
                "token": [
                    "type": "http", "scheme": "bearer",
                    "description": "A token of an account, from `healthjournal token issue`; its scope limits it.",
                ],
                "session": [
                    "type": "apiKey", "in": "cookie", "name": "hj_session",
                    "description": "The session of a signed-in person.",
                ],
            ],
            "schemas": .object(schemas),
            "parameters": .object(parameters),
            "headers": .object(headers),
            "responses": .object(problemResponses),
        ],
    ]

    static let bytes = ByteBuffer(bytes: JSONWriter.bytes(document))

    private static let introduction = """
        A record is a person or an animal; it has a profile and entries of several kinds. Each change is an event in an \
        append-only log: `asOf` on any read returns what the journal knew at that time. Each read is an event too, \
        which is durable before the response is sent.

        Responses to writes contain the `position` of their event and an `ETag`; `If-Match` makes a change \
        conditional. `Idempotency-Key` makes any POST safe to retry. Decimals are strings, so that no client rounds \
        them. Lists are paged; `nextCursor` of one page is the `cursor` of the next. HEAD is supported wherever GET \
        is, and is audited like it. Errors are problem documents (RFC 9457), whose `type` never changes. The address and \
        each header of a request may have \(HeaderLimits.field >> 10) KiB; a longer one is refused without a problem document.
        """

    private static var parameters: [JSONValue.Member] {
        unique(operations.flatMap(\.allParameters), \.component).map { .init($0.component, $0.json) }
    }

    private static var headers: [JSONValue.Member] {
        let answers = operations.flatMap(\.answers).flatMap { $0.headers + $0.optionalHeaders }
        return unique(answers + [.authenticate, .retryAfter], \.name).map { .init($0.name, $0.json(isRequired: true)) }
    }

    /// Returns the first value of each name, in the order of the values.
    private static func unique<Value>(_ values: [Value], _ name: (Value) -> String) -> [Value] {
        var names: Set<String> = []
        return values.filter { names.insert(name($0)).inserted }
    }

    private static var paths: JSONValue {
        var paths: [JSONValue.Member] = []
        for operation in operations {
            let member = JSONValue.Member(operation.method.rawValue.lowercased(), operation.json)
            if let index = paths.firstIndex(where: { $0.name == operation.path }),
                case .object(let others) = paths[index].value
            {
                paths[index].value = .object(others + [member])
            } else {
                paths.append(.init(operation.path, .object([member])))
            }
        }
        return .object(paths)
    }

    static func reference(_ schema: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(schema)")] }
}
