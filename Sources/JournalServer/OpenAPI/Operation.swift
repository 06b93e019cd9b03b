import HTTPTypes
import Interchange

/// An operation of the API, as it is described to clients.
struct Operation {
    let method: HTTPRequest.Method
    /// The path template, with parameters in braces.
    let path: String
    /// The operation id, from which generated clients name their methods; stable.
    let id: String
    let summary: String
    /// Details for which the summary has no room, in Markdown.
    var description: String?
    let tag: OperationTag
    /// Names of parameter components, in the order in which they are shown.
    var parameters: [ParameterName] = []
    var body: BodyDescription?
    var answers: [AnswerDescription]
    /// Problems that the operation can report besides those that are common to every operation.
    var problems: [ProblemType] = []
    var isPublic = false

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("operationId", .string(id)), .init("summary", .string(summary)),
            .init("tags", [.string(tag.rawValue)]),
        ]
        if let description { members.append(.init("description", .string(description))) }
        if isPublic { members.append(.init("security", [])) }
        let names = pathParameters + parameters + (isPublic ? [] : [.purpose])
        if !names.isEmpty { members.append(.init("parameters", .array(names.map(\.reference)))) }
        if let body { members.append(.init("requestBody", body.json)) }
        members.append(.init("responses", .object(answers.map { .init(String($0.status), $0.json) } + refusals)))
        return .object(members)
    }

    private var pathParameters: [ParameterName] {
        path.split(separator: "/")
            .filter { $0.hasPrefix("{") }
            .compactMap { part in
                ParameterName.allCases.first { $0.place == "path" && $0.wireName == part.dropFirst().dropLast() }
            }
    }

    /// The problem responses; problems with the same status share one response.
    private var refusals: [JSONValue.Member] {
        var types: [ProblemType] =
            isPublic ? [] : [.invalid, .malformed, .unauthenticated, .busy, .catchingUp, .outdated, .failed]
        if !isPublic && path.contains("{") { types += [.refused, .notFound] }
        if body != nil { types += [.slow, .tooLarge, .mediaType] }
        types += problems
        let statuses = Set(types.map(\.status.code)).sorted()
        return statuses.map { .init(String($0), ["$ref": .string("#/components/responses/Problem\($0)")]) }
    }
}

/// The tags that group operations.
enum OperationTag: String, CaseIterable {
    case records = "Records"
    case entries = "Entries"
    case caregivers = "Caregivers"
    case owners = "Owners"
    case emergencies = "Emergencies"
    case histories = "Histories"
    case sessions = "Sessions"
    case accounts = "Accounts"
    case ingest = "Events"
    case log = "Log"
    case service = "Service"

    var description: String {
        switch self {
        case .records: "People and animals, each with a profile."
        case .entries:
            "The entries of a record, by kind. Nothing is overwritten: corrections and retractions are added."
        case .caregivers: "Who else has access to a record, to which sections, and until when."
        case .owners: "The owners of a record, and its transfer to another owner."
        case .emergencies: "Emergency access of caregivers, and the notices that owners get."
        case .sessions: "Signing in and out."
        case .accounts: "The users of the journal, their passwords, tokens and identities at other providers."
        case .histories: "The history of a record, its audit trail, costs, export and erasure."
        case .ingest: "For other tools: their events in, the journal's events out, and the schemas of both."
        case .log: "Proofs that the log is complete and append-only, which anyone can check independently."
        case .service: "The service itself."
        }
    }
}

/// A request body.
struct BodyDescription {
    var mediaTypes = ["application/json"]
    /// The name of a schema among the components.
    let schema: String
    /// Example requests; empty if a body needs values from an earlier response.
    let examples: [(name: String, value: JSONValue)]
    /// Alternatives of other media types and schemas.
    var others: [BodyDescription] = []

    var json: JSONValue {
        ["required": true, "content": .object(([self] + others).flatMap(\.content))]
    }

    private var content: [JSONValue.Member] {
        var content: [JSONValue.Member] = [.init("schema", ["$ref": .string("#/components/schemas/\(schema)")])]
        if !examples.isEmpty {
            content.append(.init("examples", .object(examples.map { .init($0.name, ["value": $0.value]) })))
        }
        return mediaTypes.map { .init($0, .object(content)) }
    }
}

/// A successful response.
struct AnswerDescription {
    var status = 200
    let description: String
    /// Media types, each with the name of a schema among the components.
    var content: [(mediaType: String, schema: String)] = []
    var headers: [HeaderName] = []
    /// Headers that are not always present.
    var optionalHeaders: [HeaderName] = []
    var links: [LinkDescription] = []

    static func json(
        _ schema: String,
        _ description: String,
        status: Int = 200,
        headers: [HeaderName] = [],
        links: [LinkDescription] = []
    ) -> AnswerDescription {
        AnswerDescription(
            status: status,
            description: description,
            content: [("application/json", schema)],
            headers: headers,
            links: links
        )
    }

    static func text(_ description: String, headers: [HeaderName] = []) -> AnswerDescription {
        AnswerDescription(description: description, content: [("text/plain", "Text")], headers: headers)
    }

    /// The result of a change.
    static let written = json("Written", "The change is durable.", headers: [.eTag])

    static let notModified = AnswerDescription(
        status: 304,
        description: "Not modified: the client's copy is current.",
        headers: [.eTag]
    )

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("description", .string(description))]
        let optional = optionalHeaders.map { JSONValue.Member($0.rawValue, $0.json(isRequired: false)) }
        if !headers.isEmpty || !optional.isEmpty {
            members.append(.init("headers", .object(headers.map { .init($0.rawValue, $0.reference) } + optional)))
        }
        if !content.isEmpty {
            let types = content.map { mediaType, schema in
                JSONValue.Member(mediaType, ["schema": ["$ref": .string("#/components/schemas/\(schema)")]])
            }
            members.append(.init("content", .object(types)))
        }
        if !links.isEmpty { members.append(.init("links", .object(links.map { .init($0.operation, $0.json) }))) }
        return .object(members)
    }
}

/// A link to a following operation, with ids from the response.
struct LinkDescription {
    let operation: String
    let parameters: [(name: ParameterName, value: String)]

    var json: JSONValue {
        [
            "operationId": .string(operation),
            "parameters": .object(parameters.map { .init("\($0.name.place).\($0.name.wireName)", .string($0.value)) }),
        ]
    }
}
