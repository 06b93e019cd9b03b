import HTTPTypes
import HealthModel
import Hummingbird
import Interchange

/// An operation of the API: how clients use it, and the handler of its requests.
///
/// The router's route, the check of query parameters and the OpenAPI description follow from this declaration.
struct Operation: Sendable {
    /// Handles a request whose query contains only parameters that the operation declares.
    typealias Handler = @Sendable (Request, ServerContext, Query) async throws -> Response

    let method: HTTPRequest.Method
    /// The path of the route, with parameters in braces.
    let template: String
    /// The kind that replaces `{kind}` in the description; all kinds share one route.
    let kind: Kind?
    /// The operation id, from which generated clients name their methods; stable.
    let id: String
    let summary: String
    /// Details for which the summary has no room, in Markdown.
    let description: String?
    let tag: OperationTag
    /// Parameters besides those in the path, in the order in which they are shown.
    let parameters: [Parameter]
    let body: BodyDescription?
    let answers: [AnswerDescription]
    /// Problems that the operation can report besides those that are common to every operation.
    let problems: [ProblemType]
    /// Whether the operation needs no caller.
    let isPublic: Bool
    /// Creates the handler with the service's dependencies.
    let handler: @Sendable (Services) -> Handler

    init(
        method: HTTPRequest.Method,
        path: String,
        kind: Kind? = nil,
        id: String,
        summary: String,
        description: String? = nil,
        tag: OperationTag,
        parameters: [Parameter] = [],
        body: BodyDescription? = nil,
        answers: [AnswerDescription],
        problems: [ProblemType] = [],
        isPublic: Bool = false,
        makeHandler: @escaping @Sendable (Services) -> Handler
    ) {
        self.method = method
        self.template = path
        self.kind = kind
        self.id = id
        self.summary = summary
        self.description = description
        self.tag = tag
        self.parameters = parameters
        self.body = body
        self.answers = answers
        self.problems = problems
        self.isPublic = isPublic
        handler = makeHandler
    }

    /// `handler` is a method of the group of routes.
    init<Group: Routes>(
        method: HTTPRequest.Method,
        path: String,
        kind: Kind? = nil,
        id: String,
        summary: String,
        description: String? = nil,
        tag: OperationTag,
        parameters: [Parameter] = [],
        body: BodyDescription? = nil,
        answers: [AnswerDescription],
        problems: [ProblemType] = [],
        isPublic: Bool = false,
        handler: @escaping @Sendable (Group) -> Handler
    ) {
        self.init(
            method: method,
            path: path,
            kind: kind,
            id: id,
            summary: summary,
            description: description,
            tag: tag,
            parameters: parameters,
            body: body,
            answers: answers,
            problems: problems,
            isPublic: isPublic
        ) { handler(Group(services: $0)) }
    }

    /// The path in the description.
    var path: String { kind.map { template.replacing("{kind}", with: $0.name) } ?? template }

    /// All parameters of the operation, in the order in which they are shown.
    var allParameters: [Parameter] { pathParameters + parameters + (isPublic ? [] : [.purpose]) }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("operationId", .string(id)), .init("summary", .string(summary)),
            .init("tags", [.string(tag.rawValue)]),
        ]
        if let description { members.append(.init("description", .string(description))) }
        if isPublic { members.append(.init("security", [])) }
        if !allParameters.isEmpty { members.append(.init("parameters", .array(allParameters.map(\.reference)))) }
        if let body { members.append(.init("requestBody", body.json)) }
        members.append(.init("responses", .object(answers.map { .init(String($0.status), $0.json) } + refusals)))
        return .object(members)
    }

    private var pathParameters: [Parameter] {
        path.split(separator: "/")
            .filter { $0.hasPrefix("{") }
            .compactMap { part in Parameter.inPaths.first { $0.name == part.dropFirst().dropLast() } }
    }

    /// Every problem that the operation can report.
    private var problemTypes: [ProblemType] {
        var types: [ProblemType] =
            isPublic
            ? []
            : [
                .invalid, .malformed, .unauthenticated, .busy, .catchingUp, .outdated, .insufficientStorage, .failed,
            ]
        if !isPublic && path.contains("{") { types += [.refused, .notFound] }
        if body != nil { types += [.slow, .tooLarge, .mediaType] }
        return types + problems
    }

    /// The problem responses; problems with the same status share one response.
    private var refusals: [JSONValue.Member] {
        let statuses = Set(problemTypes.map(\.status.code)).sorted()
        return statuses.map { .init(String($0), ["$ref": .string("#/components/responses/Problem\($0)")]) }
    }

    /// Whether requests to another operation are checked in the same way before its handler runs.
    func hasSameChecks(as other: Operation) -> Bool {
        isPublic == other.isPublic && parameters.map(\.name) == other.parameters.map(\.name)
            && problemTypes.contains(.invalid) == other.problemTypes.contains(.invalid)
    }

    /// The handler, preceded by the check of the query.
    ///
    /// An operation that reports no invalid requests ignores its query, such as a health check.
    func checkedHandler(_ services: Services) -> @Sendable (Request, ServerContext) async throws -> Response {
        let handler = handler(services)
        let names = parameters.filter { $0.location == .query }.map(\.name)
        guard problemTypes.contains(.invalid) || !names.isEmpty else {
            return { request, context in try await handler(request, context, Query()) }
        }
        return { request, context in try await handler(request, context, Query(request, names)) }
    }
}

/// The tags that group operations.
enum OperationTag: String, CaseIterable {
    case records = "Records"
    case entries = "Entries"
    case care = "Care"
    case clinic = "Clinic"
    case caregivers = "Caregivers"
    case owners = "Owners"
    case emergencies = "Emergencies"
    case histories = "Histories"
    case sessions = "Sessions"
    case accounts = "Accounts"
    case ingest = "Events"
    case sync = "Offline"
    case log = "Log"
    case service = "Service"

    var description: String {
        switch self {
        case .records: "People and animals, each with a profile."
        case .entries:
            "The entries of a record, by kind. Nothing is overwritten: corrections and retractions are added."
        case .care: "What is due by the plans of medication and supplements, what was taken, and what is in stock."
        case .clinic: "Practices with their hours, services, rooms and specialists, and the appointments of patients."
        case .caregivers: "Who else has access to a record, to which sections, and until when."
        case .owners: "The owners of a record, and its transfer to another owner."
        case .emergencies: "Emergency access of caregivers and practices, and the notices that owners get."
        case .sessions: "Signing in and out."
        case .accounts: "The users of the journal, their passwords, tokens and identities at other providers."
        case .histories: "The history of a record, its audit trail, costs, export and erasure."
        case .ingest: "For other tools: their events in, the journal's events out, and the schemas of both."
        case .sync: "For devices that work offline: what they may see, and what was changed on them."
        case .log: "Proofs that the log is complete and append-only, which anyone can check independently."
        case .service: "The service itself."
        }
    }
}

/// An example of a request body; a test sends each one to the service.
typealias Example = (name: String, value: JSONValue)

/// A request body.
struct BodyDescription: Sendable {
    var mediaTypes = ["application/json"]
    /// The name of a schema among the components.
    let schema: String
    /// Example requests; empty if a body needs values from an earlier response.
    let examples: [Example]
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
struct AnswerDescription: Sendable {
    var status = 200
    let description: String
    /// Media types, each with the name of a schema among the components.
    var content: [(mediaType: String, schema: String)] = []
    var headers: [ResponseHeader] = []
    /// Headers that are not always present.
    var optionalHeaders: [ResponseHeader] = []
    var links: [LinkDescription] = []

    static func json(
        _ schema: String,
        _ description: String,
        status: Int = 200,
        headers: [ResponseHeader] = [],
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

    static func text(_ description: String, headers: [ResponseHeader] = []) -> AnswerDescription {
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
        let optional = optionalHeaders.map { JSONValue.Member($0.name, $0.json(isRequired: false)) }
        if !headers.isEmpty || !optional.isEmpty {
            members.append(.init("headers", .object(headers.map { .init($0.name, $0.reference) } + optional)))
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
struct LinkDescription: Sendable {
    let operation: String
    /// The parameters in the operation's path, and the members of the response that contain their values.
    let parameters: [(name: String, value: String)]

    var json: JSONValue {
        [
            "operationId": .string(operation),
            "parameters": .object(parameters.map { .init("path.\($0.name)", .string($0.value)) }),
        ]
    }
}
