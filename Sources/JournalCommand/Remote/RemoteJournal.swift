import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer
import Platform

/// A journal that is reached through a service; the token determines the acting account.
final class RemoteJournal: JournalAccess {
    let client: ServiceClient
    /// The reason for changes; nil for none.
    let reason: String?
    /// Names and entries from earlier answers: commands print names, and address entries without their record.
    private let cache = Guarded(Cache())

    private struct Cache {
        var names: [UUID: String] = [:]
        var entries: [UUID: EntryState] = [:]
    }

    init(_ client: ServiceClient, reason: String) {
        self.client = client
        self.reason = reason.isEmpty ? nil : reason
    }

    var now: Instant { Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

    func perform<Result>(_ operation: JournalOperation<Result>) async throws -> Result {
        try await operation.remote(self)
    }

    func name(of account: UUID) -> String { cache.withLock { $0.names[account] } ?? account.beginning }

    func cacheName(_ name: String?, of account: UUID) {
        if let name { cache.withLock { $0.names[account] = name } }
    }
}

// Resolving names and ids
extension RemoteJournal {
    func record(beginning text: String) async throws -> UUID {
        let ids = try await listRecords(asOf: nil).map(\.id)
        return try Journal.Records.resolve(text, "record") { _ in ids }
    }

    func entry(_ text: String) async throws -> UUID {
        if let id = UUID(uuidString: text) { return id }
        return try await find(text).id
    }

    func place(of entry: UUID) async throws -> (record: UUID, kind: Kind?, version: UInt64?) {
        let found = try await found(entry)
        return (found.record, found.kind, found.latest.position)
    }

    /// Returns the entry as it was first read in this command, so that a change applies to the version that was read.
    func found(_ entry: UUID) async throws -> EntryState {
        if let found = cache.withLock({ $0.entries[entry] }) { return found }
        return try await find(entry.text)
    }

    private func find(_ text: String) async throws -> EntryState {
        // Text that cannot be the prefix of an id must not become part of an address.
        guard text.count >= Journal.Records.shortestPrefix, text.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
            return try await find(Journal.Records.resolve(text, "entry") { _ in [] }.text)
        }
        let state = try await client.send(.get("entries", text.lowercased()))
            .read { found throws(ModelError) in try EntryState(found: found) }
        cache.withLock { $0.entries[state.id] = state }
        return state
    }

    func account(_ text: String) async throws -> UUID {
        if let id = UUID(uuidString: text) { return id }
        let wanted = Journal.Accounts.folded(text)
        let own = try await client.send(.get("session"))
            .read { session throws(ModelError) in (id: try session.id("account"), name: try session.required("name")) }
        cacheName(own.name, of: own.id)
        if Journal.Accounts.folded(own.name) == wanted { return own.id }
        let all: [AccountDocument]
        do {
            all = try await accounts()
        } catch let error as JournalError where error.code == .refused {
            throw JournalError(
                .refused,
                """
                the service lists accounts only for administrators of the journal: give the account's full id, or \
                invite the person by a code (healthjournal caregiver invite)
                """
            )
        }
        for account in all { cacheName(account.name, of: account.id) }
        if let named = all.first(where: { Journal.Accounts.folded($0.name) == wanted }) { return named.id }
        return try Journal.Records.resolve(text, "account") { _ in all.map(\.id) }
    }
}

extension RemoteJournal {
    /// Returns the accounts of the journal, for callers who run it.
    func accounts() async throws -> [AccountDocument] {
        try await send(AccountEndpoints.list.request(), AccountEndpoints.list.read)
    }

    /// Sends the request of an endpoint, and reads the answer.
    func send<Output>(
        _ request: EndpointRequest,
        _ read: (NativeObject, _ version: UInt64?) throws(ModelError) -> Output
    ) async throws -> Output {
        guard let method = ServiceRequest.Method(rawValue: request.method) else {
            preconditionFailure("an endpoint has the method \(request.method)")
        }
        var request = request
        request.state(reason: reason)
        // `ServiceRequest` adds the version of the API itself.
        let path = Array(request.path.dropFirst())
        let body = request.body.map(ServiceRequest.Body.json)
        var sent = ServiceRequest(method: method, path: path, query: request.query, body: body)
        (sent.expecting, sent.headers, sent.onlyReads) = (request.expecting, request.headers, request.effect == .read)
        if request.effect == .change { sent.key = UUID().uuidString }
        let answer = try await client.send(sent)
        return try answer.read { object throws(ModelError) in try read(object, answer.version) }
    }

    /// Sends a change, and returns its result.
    func write(_ request: ServiceRequest) async throws -> WriteResult {
        try await client.send(request).read { answer throws(ModelError) in try WriteResult(answer) }
    }

    /// Returns a document that the service sends.
    func document<Document: APIDocument>(_ request: ServiceRequest) async throws -> Document {
        try await client.send(request).read { object throws(ModelError) in try Document(object) }
    }

    /// Creates a request with a secret in it or in its answer, which therefore must not be sent twice.
    func once(_ method: ServiceRequest.Method, _ path: String..., body: JSONValue) -> ServiceRequest {
        once(method, at: path, body: body)
    }

    func once(_ method: ServiceRequest.Method, at path: [String], body: JSONValue) -> ServiceRequest {
        var request = ServiceRequest.get(at: path, query: reasonQuery)
        request.method = method
        request.body = .json(body)
        return request
    }

    /// Returns a list of documents that the service sends without paging.
    func list<Document: APIDocument>(_ name: String, _ request: ServiceRequest) async throws -> [Document] {
        try await list(name, request) { item throws(ModelError) in try Document(item) }
    }

    /// Returns a list that the service sends without paging.
    func list<Item>(
        _ name: String,
        _ request: ServiceRequest,
        _ read: (NativeObject) throws(ModelError) -> Item
    ) async throws -> [Item] {
        try await client.send(request)
            .read { document throws(ModelError) in
                var items: [Item] = []
                for item in try document.objects(name) { items.append(try read(item)) }
                return items
            }
    }

    /// The reason as a query parameter of a change.
    var reasonQuery: [(name: String, value: String?)] { [("reason", reason)] }

    /// Returns all pages of a list.
    func pages<Item>(
        of name: String,
        _ path: [String],
        query: [(name: String, value: String)],
        _ read: (NativeObject) throws(ModelError) -> Item
    ) async throws -> [Item] {
        var items: [Item] = []
        var cursor: String?
        repeat {
            var request = ServiceRequest(method: .get, path: path, query: query)
            request.query.append(("limit", "1000"))
            if let cursor { request.query.append(("cursor", cursor)) }
            let page = try await client.send(request)
                .read { page throws(ModelError) in
                    var items: [Item] = []
                    for item in try page.objects(name) { items.append(try read(item)) }
                    return (items: items, next: try page.text("nextCursor"))
                }
            items += page.items
            // A service that never ends its list must not make the command wait forever.
            cursor = page.items.isEmpty || page.next == cursor ? nil : page.next
        } while cursor != nil
        return items
    }
}
