import HTTPTypes
import HealthJournal
import HealthModel
import Interchange

/// The service as clients and their generators read it: OpenAPI 3.1.
///
/// Kinds, their fields and their limits come from the same descriptions as validation, the command line and JSON
/// itself. What the routes do besides stands in a file of operations a tag; a test walks the router and holds the two
/// against each other, and each test of a route holds its answers against what is written here.
enum OpenAPI {
    static let operations: [Operation] =
        recordOperations + Kind.all.flatMap(entryOperations) + foundEntryOperations + documentOperations
        + caregiverOperations
        + invitationOperations
        + ownerOperations + emergencyOperations + historyOperations + sessionOperations + accountOperations
        + doorOperations + logOperations + serviceOperations

    /// The document, and its bytes, which never change while the service runs.
    static let document: JSONValue = [
        "openapi": "3.1.0",
        "jsonSchemaDialect": .string(JSONSchema.dialect),
        "info": [
            "title": "HealthJournal",
            "version": "1",
            "summary": "A health journal that forgets nothing it is not told to.",
            "description": .string(introduction),
        ],
        "servers": [["url": "/", "description": "Where this document was read."]],
        "security": [["token": []], ["session": []]],
        "tags": .array(
            OperationTag.allCases.map { ["name": .string($0.rawValue), "description": .string($0.description)] }
        ),
        "paths": paths,
        "components": [
            "securitySchemes": [
                "token": [
                    "type": "http", "scheme": "bearer",
                    "description": "A token of an account, made with `healthjournal token issue`; its scope bounds it.",
                ],
                "session": [
                    "type": "apiKey", "in": "cookie", "name": "hj_session",
                    "description": "The session of a person who signed in.",
                ],
            ],
            "schemas": .object(schemas),
            "parameters": .object(ParameterName.allCases.map { .init($0.rawValue, $0.json) }),
            "headers": .object(HeaderName.allCases.map { .init($0.rawValue, $0.json) }),
            "responses": .object(problemResponses),
        ],
    ]

    static let bytes = JSONWriter.bytes(document)

    private static let introduction = """
        A record is a person or an animal; it has a profile and entries of several kinds. Each change is an event in a \
        log that is only ever added to: `asOf` on any read shows what the journal knew then. Each read is an event too, \
        durable before it is answered.

        Answers to writes carry the `position` of their event and an `ETag`; `If-Match` makes a change depend on it. \
        `Idempotency-Key` makes any POST safe to repeat. Decimals are texts, so that no reader rounds them. Lists come \
        in pages; `nextCursor` of one is the `cursor` of the next. HEAD is answered wherever GET is, and a read all \
        the same. Errors are problem documents (RFC 9457), whose `type` never changes.
        """

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
