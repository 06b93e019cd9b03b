import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import HummingbirdTesting
import Interchange
import Logging
import NIOCore
import TestSupport
import Testing

@testable import JournalCore
@testable import JournalServer

/// A journal in a temporary folder, its service, and tokens of its accounts.
final class ServiceFixture: Sendable {
    let journal: Journal
    let owner: Caller
    let token: String
    private let outer: TemporaryFolder?

    /// Creates a journal in a folder, or in a temporary one.
    init(in folder: String? = nil) async throws {
        outer = try folder == nil ? TemporaryFolder() : nil
        var options = EventLog.Options()
        options.mapSize = 1 << 30
        journal = try await Journal.create(
            in: JournalFolder((folder ?? outer?.path ?? "") + "/journal"),
            masterKey: MasterKey(),
            id: UUID(),
            zone: .gmt,
            options: options,
            passwordCost: PasswordCost(rounds: 1 << 4, blockSize: 8, parallelism: 1)
        )
        owner = try journal.accounts.caller(Journal.ownerName, source: .commandLine)
        token = try await journal.accounts.issueToken(to: owner.account, scope: .full, expires: nil, owner).secret
    }

    deinit { journal.close() }

    /// Returns the routes of the pages, or those for programs; without those of FHIR, which have tests of their own.
    func routes(ofPages arePages: Bool) -> [(method: HTTPRequest.Method, path: String)] {
        JournalServer.router(journal).routes.map { ($0.method, $0.path.description) }
            .filter { route in ![FHIRService.path, TileService.path].contains { route.1.hasPrefix($0) } }
            .filter { route in
                let isForPrograms = ["/v1", "/health", "/metrics", "/openapi.json", "/schemas", "/calendar"]
                    .contains { route.1 == $0 || route.1.hasPrefix($0 + "/") }
                return isForPrograms != arePages
            }
    }

    /// Adds an account and issues a token for it.
    func account(_ name: String, _ kind: AccountKind = .person, _ scope: TokenScope = .full) async throws -> (
        id: UUID, token: String
    ) {
        let id = try #require(
            try await journal.accounts.addAccount(AccountProfile(name: name, kind: kind), owner).account
        )
        return (id, try await journal.accounts.issueToken(to: id, scope: scope, expires: nil, owner).secret)
    }

    /// Runs `test` with a client of the service.
    func serve<Value>(
        _ setup: TestingSetup = .router,
        provider: OpenIDProvider? = nil,
        settings: ServerSettings = ServerSettings(),
        _ test: @Sendable (ServiceClient) async throws -> Value
    ) async throws -> Value {
        let application = Application(
            responder: JournalServer.router(journal, settings, provider: provider).buildResponder(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let token = token
        return try await application.test(setup) { client in
            try await test(ServiceClient(client: client, token: token))
        }
    }
}

extension NewEvent {
    /// An event of another tool, as the log stores it; its content is not decoded by any view.
    static func external(in stream: UUID) -> NewEvent {
        NewEvent(
            header: EventHeader(
                stream: stream,
                id: UUID.timeOrdered(at: EventLog.clock()),
                subject: stream,
                type: ExternalReceived.type.rawValue,
                schemaVersion: 1,
                category: ExternalReceived.type.category.rawValue,
                actor: stream,
                correlation: .zero,
                source: 1
            ),
            payload: [1]
        )
    }
}

/// A client that sends requests with a token.
struct ServiceClient: Sendable {
    let client: any TestClientProtocol
    var token: String?

    func with(_ token: String?) -> ServiceClient { ServiceClient(client: client, token: token) }

    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        _ body: String? = nil,
        _ headers: [(String, String)] = []
    ) async throws -> Answer {
        try await send(method, uri, bytes: body.map { Array($0.utf8) }, headers)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ uri: String,
        bytes body: [UInt8]?,
        _ headers: [(String, String)] = []
    ) async throws -> Answer {
        var fields = HTTPFields()
        if let token { fields[.authorization] = "Bearer \(token)" }
        if body != nil { fields[.contentType] = "application/json" }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        let response = try await client.execute(
            uri: uri,
            method: method,
            headers: fields,
            body: body.map { ByteBuffer(bytes: $0) }
        )
        let answer = Answer(
            status: response.status.code,
            headers: response.headers,
            bytes: Array(response.body.readableBytesView)
        )
        answer.checkDescription(method, uri)
        return answer
    }

    func get(_ uri: String, _ headers: [(String, String)] = []) async throws -> Answer {
        try await send(.get, uri, nil, headers)
    }

    func post(_ uri: String, _ body: String, _ headers: [(String, String)] = []) async throws -> Answer {
        try await send(.post, uri, body, headers)
    }

    /// Creates a record and returns its id.
    func person(_ given: String = "Ida") async throws -> String {
        let body = #"{"subject": "human", "profile": {"givenName": "\#(given)", "familyName": "Winterthaler"}}"#
        let answer = try await post("/v1/records?similar=true", body)
        return try #require(answer.text("record"))
    }
}

/// A response of the service.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var json: JSONValue { (try? JSONReader.read(bytes)) ?? .null }

    func text(_ name: String) -> String? {
        if case .string(let text)? = json[name] { text } else { nil }
    }

    func items(_ name: String) -> [JSONValue] {
        if case .array(let items)? = json[name] { items } else { [] }
    }

    /// The last part of the problem's type.
    var problem: String? {
        guard headers[.contentType] == "application/problem+json" else { return nil }
        return text("type").flatMap { $0.split(separator: ":").last.map(String.init) }
    }

    var tag: String? { headers[.eTag] }
}

extension JSONValue {
    func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}
