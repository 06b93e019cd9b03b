import HTTPTypes
import HealthJournal
import Interchange

/// The schema and the responses of problems.
extension OpenAPI {
    static let problemSchema: JSONValue = [
        "type": "object",
        "description": "A problem document (RFC 9457). It never contains data of a record.",
        "required": ["type", "title", "status", "detail"],
        "properties": .object(problemMembers + TakenTime.schemas + [BookingConflict.member]),
        "additionalProperties": false,
    ]

    private static let problemMembers: [JSONValue.Member] = [
        .init(
            "type",
            [
                "type": "string",
                "enum": .array(ProblemType.allCases.map { .string($0.urn) }),
                "description": .string(
                    ProblemType.allCases.map { "- `\($0.urn)`: \($0.meaning)" }.joined(separator: "\n")
                ),
            ]
        ),
        .init("title", ["type": "string"]),
        .init("status", ["type": "integer"]),
        .init("detail", ["type": "string", "description": "What was wrong, and what to do."]),
        .init("field", ["type": "string", "description": "The path of the invalid field, parameter or header."]),
    ]

    /// One response for each status; it describes all problem types with that status.
    static var problemResponses: [JSONValue.Member] {
        let statuses = Dictionary(grouping: ProblemType.allCases, by: \.status.code)
        return statuses.sorted { $0.key < $1.key }
            .map { status, types in
                let headers: [ResponseHeader] =
                    switch status {
                    case 401: [.authenticate]
                    case 429: [.retryAfter]
                    default: []
                    }
                var members: [JSONValue.Member] = [
                    .init("description", .string(types.map(\.meaning).joined(separator: " ")))
                ]
                if !headers.isEmpty {
                    members.append(.init("headers", .object(headers.map { .init($0.name, $0.reference) })))
                }
                let content = JSONValue.Member(AnswerType.problem.rawValue, ["schema": reference("Problem")])
                members.append(.init("content", .object([content])))
                return .init("Problem\(status)", .object(members))
            }
    }
}
