import HTTPTypes
import Interchange

/// One thing that the service can be asked for, as clients are told of it.
struct Operation {
    let method: HTTPRequest.Method
    /// The address, its parameters in braces.
    let path: String
    /// The name by which generated clients call it; for ever the same.
    let id: String
    let summary: String
    /// What its summary has no room for, in Markdown.
    var description: String?
    let tag: OperationTag
    /// Names of components, in the order in which a person reads them.
    var parameters: [ParameterName] = []
    var body: BodyDescription?
    var answers: [AnswerDescription]
    /// Problems that it answers with besides those that every operation may.
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

    /// What stands beside each status, the problems of one status as one.
    private var refusals: [JSONValue.Member] {
        var types: [ProblemType] = isPublic ? [] : [.invalid, .malformed, .unauthenticated, .busy, .failed]
        if !isPublic && path.contains("{") { types += [.refused, .notFound] }
        if body != nil { types += [.slow, .tooLarge, .mediaType] }
        types += problems
        let statuses = Set(types.map(\.status.code)).sorted()
        return statuses.map { .init(String($0), ["$ref": .string("#/components/responses/Problem\($0)")]) }
    }
}

/// What operations have to do with.
enum OperationTag: String, CaseIterable {
    case records = "Records"
    case entries = "Entries"
    case caregivers = "Caregivers"
    case owners = "Owners"
    case emergencies = "Emergencies"
    case histories = "Histories"
    case sessions = "Sessions"
    case accounts = "Accounts"
    case door = "Events"
    case log = "Log"
    case service = "Service"

    var description: String {
        switch self {
        case .records: "People and animals, each with a profile."
        case .entries:
            "What a record says, kind by kind. Nothing is overwritten: corrections and retractions come on top."
        case .caregivers: "Who else is let in to a record, to what, and until when."
        case .owners: "Whose a record is, and how it is given to another."
        case .emergencies: "When what a caregiver may see is not enough, and what owners are told of it."
        case .sessions: "Signing in and out."
        case .accounts: "Who uses the journal, their passwords, their tokens and who they are elsewhere."
        case .histories: "What became of a record, who looked at it, what it cost, a copy to take away, and its end."
        case .door: "For other tools: their events in, the journal's events out, and the schemas of both."
        case .log: "Proofs that the log is whole and was only ever added to, for those who take nobody's word."
        case .service: "The service itself."
        }
    }
}

/// The body that an operation takes.
struct BodyDescription {
    var mediaTypes = ["application/json"]
    /// The name of a schema among the components.
    let schema: String
    /// Requests to start from; none where one takes what only another answer says.
    let examples: [(name: String, value: JSONValue)]
    /// What it takes instead, of other media types and schemas.
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

/// An answer to what was asked, done.
struct AnswerDescription {
    var status = 200
    let description: String
    /// Media types, and for each the name of a schema among the components.
    var content: [(mediaType: String, schema: String)] = []
    var headers: [HeaderName] = []
    /// Headers that stand there or not.
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

    /// What a change came to.
    static let written = json("Written", "Done, and durable.", headers: [.eTag])

    static let notModified = AnswerDescription(
        status: 304,
        description: "It is as the client has it already.",
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

/// What can be asked for next, with ids from the answer.
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
