import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// An operation of the API, declared once.
///
/// The route with the parsing of its requests, the description for clients, the call on an open journal and the request
/// of a remote client follow from the declaration. `Value` are the values of its parts, in the order in which they are
/// declared, and `Output` is what it returns.
package struct Endpoint<Output: Sendable, each Value: Sendable>: Sendable {
    let method: HTTPRequest.Method
    let effect: EndpointEffect
    /// The path with parameters in braces.
    let path: String
    let id: String
    let summary: String
    let description: String?
    let tag: OperationTag
    let reason: ReasonPlace
    let parts: (repeat RequestPart<each Value>)
    let answer: EndpointAnswer<Output>
    let problems: [ProblemType]
    private let call: @Sendable (Journal, Caller, repeat each Value) async throws -> Output

    /// `id`, `description` and the others are those of `Operation`; `perform` runs the operation on the journal.
    ///
    /// By default, a GET reads and every other operation is a change.
    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        effect: EndpointEffect? = nil,
        id: String,
        _ summary: String,
        description: String? = nil,
        tag: OperationTag,
        reason: ReasonPlace = .query(.reason),
        takes parts: repeat RequestPart<each Value>,
        returns answer: EndpointAnswer<Output>,
        problems: [ProblemType] = [],
        perform: @escaping @Sendable (Journal, Caller, repeat each Value) async throws -> Output
    ) {
        self.method = method
        self.effect = effect ?? (method == .get ? .read : .change)
        self.path = path
        self.id = id
        self.summary = summary
        self.description = description
        self.tag = tag
        self.reason = reason
        self.parts = (repeat each parts)
        self.answer = answer
        self.problems = problems
        call = perform
        requireParts()
    }

    /// Stops the program if the parts are not those of the path: a mistake of the declaration, which tests would find.
    private func requireParts() {
        precondition(path.hasPrefix("/v1/"), "\(id) is not below /v1")
        var (names, bodies): (Set<String>, Int) = ([], 0)
        for part in repeat each parts {
            names.formUnion(part.names)
            bodies += part.body == nil ? 0 : 1
        }
        let inPath = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        precondition(names == Set(inPath), "the parts of \(id) are \(names), but its path has \(inPath)")
        precondition(bodies < 2, "\(id) has several bodies")
    }

    /// Performs the operation on an open journal.
    package func perform(_ journal: Journal, _ caller: Caller, _ values: repeat each Value) async throws -> Output {
        try await call(journal, caller, repeat each values)
    }

    /// Returns the request that asks a service to perform the operation.
    package func request(_ values: repeat each Value) -> EndpointRequest {
        var request = EndpointRequest(method: method.rawValue, template: path, effect: effect, reason: reason)
        repeat (each parts).write(each values, &request)
        return request
    }

    /// Reads the answer of a service; `version` is that of its entity tag.
    package func read(_ answer: NativeObject, version: UInt64?) throws(ModelError) -> Output {
        try self.answer.read(answer, version)
    }

    /// Handles a request of a client; the caller is determined after the parts of the request were read.
    func respond(
        _ received: ReceivedRequest,
        _ journal: Journal,
        caller: () throws -> Caller
    ) async throws -> Response {
        let values = (repeat try (each parts).read(received))
        return try await answer.write(call(journal, caller(), repeat each values))
    }
}

/// What an operation does to the journal besides recording the access.
package enum EndpointEffect: Sendable {
    case read
    /// A change: its caller may give a reason, and repeated requests are recognized.
    case change
    /// A change whose answer shows a secret, which the answer to a repeated request would lack: our own client sends it
    /// only once.
    case secret
}

/// Where a request has the reason for a change.
enum ReasonPlace: Sendable {
    case query(Parameter)
    /// The member `reason` of the body.
    case body
}

/// A request to a service for an operation.
package struct EndpointRequest: Sendable {
    package let method: String
    /// The path with parameters in braces.
    let template: String
    package let effect: EndpointEffect
    private let reasonPlace: ReasonPlace
    /// The values of the parameters in the path.
    var parameters: [String: String] = [:]
    package var query: [(name: String, value: String)] = []
    package var body: JSONValue?
    /// The position of the last change of the object that the client has seen.
    package var expecting: UInt64?
    package var headers: [(name: String, value: String)] = []

    init(method: String, template: String, effect: EndpointEffect, reason: ReasonPlace) {
        (self.method, self.template, self.effect, reasonPlace) = (method, template, effect, reason)
    }

    /// States the reason for a change, nil for none; does nothing to a request that only reads.
    package mutating func state(reason: String?) {
        guard effect != .read else { return }
        switch reasonPlace {
        case .query(let parameter):
            if let reason { query.append((parameter.name, reason)) }
        case .body:
            body = (body ?? [:]).merging(["reason": .string(reason ?? "")])
        }
    }

    /// The components of the path, not encoded.
    package var path: [String] {
        template.split(separator: "/")
            .map { part in
                guard part.hasPrefix("{") else { return String(part) }
                guard let value = parameters[String(part.dropFirst().dropLast())] else {
                    preconditionFailure("no part of the endpoint is the parameter \(part) of its path")
                }
                return value
            }
    }
}

/// A request as a handler receives it.
struct ReceivedRequest {
    let request: Request
    let context: ServerContext
    let query: Query
    /// The body; empty if the operation takes none.
    let body: [UInt8]
    /// The time of the journal.
    let now: Instant

    /// The body as a JSON object.
    var object: NativeObject { get throws { try NativeObject(JSONReader.read(body)) } }

    /// The body as received, or without a member that must not be part of a digest: a password could be guessed from
    /// it.
    func body(without name: String?) throws -> [UInt8] {
        guard let name, case .object(let members) = try JSONReader.read(body),
            members.contains(where: { $0.name == name })
        else { return body }
        return JSONWriter.bytes(.object(members.filter { $0.name != name }))
    }

    /// The id that a parameter of the path contains.
    func id(_ name: String) throws -> UUID { try context.id(name) }
}

extension Operation {
    /// Creates the operation that an endpoint declares.
    init<Output, each Value>(_ endpoint: Endpoint<Output, repeat each Value>) {
        var (parameters, headers, last): ([Parameter], [Parameter], [Parameter]) = ([], [], [])
        var (body, secret): (BodyDescription?, String?) = (nil, nil)
        for part in repeat each endpoint.parts {
            if part.isDescribedLast {
                last += part.parameters
            } else {
                parameters += part.parameters.filter { $0.location == .query }
                headers += part.parameters.filter { $0.location == .header }
            }
            body = part.body ?? body
            secret = part.secret ?? secret
        }
        let isChange = endpoint.effect != .read
        if isChange, case .query(let reason) = endpoint.reason { parameters.append(reason) }
        parameters += headers + (isChange ? [.idempotencyKey] : []) + last
        self.init(
            method: endpoint.method,
            path: endpoint.path,
            id: endpoint.id,
            summary: endpoint.summary,
            description: endpoint.description,
            tag: endpoint.tag,
            parameters: parameters,
            body: body,
            answers: endpoint.answer.descriptions,
            problems: endpoint.problems
        ) { [mediaTypes = body?.mediaTypes, secret] services in
            { request, context, query in
                if let mediaTypes { try request.requireMediaType(mediaTypes) }
                let received = ReceivedRequest(
                    request: request,
                    context: context,
                    query: query,
                    body: mediaTypes == nil ? [] : try await request.bytes(),
                    now: services.journal.now
                )
                return try await endpoint.respond(received, services.journal) {
                    guard isChange else { return try context.requireCaller() }
                    let reason =
                        switch endpoint.reason {
                        case .query: query[.reason]
                        case .body: try received.object.text("reason") ?? ""
                        }
                    return try context.writer(request, body: received.body(without: secret), reason: reason)
                }
            }
        }
    }
}
