import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore

/// The session of whoever asks: begun with a password or a one-time code, looked at, ended.
struct SessionRoutes {
    let journal: Journal
    let cookie: SessionCookie

    func add(to group: RouterGroup<ServerContext>) {
        group.post("session", use: begin)
        group.get("session", use: show)
        group.delete("session", use: end)
    }

    @Sendable private func begin(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        // Nobody is to be signed in by a page of another site: not as themselves, and not as another.
        if request.isFromOwnPages == false { throw Problem.foreignPage }
        let document = try await request.json(["name", "password", "code"], atMost: BodyLimits.strangersBytes)
        let (name, password) = (try document.text("name"), try document.text("password"))
        let code = try document.text("code")
        guard code.isEmpty != (name.isEmpty && password.isEmpty) else {
            throw JournalError(.invalid, "give a name and a password, or a code")
        }
        let source = SignInSource(.http, address: context.peer.flatMap(\.network))
        let signIn =
            code.isEmpty
            ? try await journal.signIn(name: name, password: password, source)
            : try await journal.signIn(code: code, source)
        // The session that the browser had is not left open behind the new one.
        if let old = context.caller, let session = old.session {
            _ = try? await journal.endSession(session, of: old.account, old)
        }
        let caller = try journal.authenticate(signIn.secret, source: .http)
        var response = Response(caller.shown(expires: signIn.expires), status: .created)
        response.headers[.setCookie] = cookie.setting(signIn.secret, until: signIn.expires, now: journal.now)
        return response
    }

    @Sendable private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let caller = try context.requireCaller()
        return Response(caller.shown(expires: try journal.expiry(of: caller)))
    }

    @Sendable private func end(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let caller = try context.requireCaller()
        guard let session = caller.session else {
            throw JournalError(.conflict, "this is a token and no session; a token is revoked")
        }
        _ = try await journal.endSession(session, of: caller.account, caller)
        var response = Response(status: .noContent)
        response.headers[.setCookie] = cookie.clearing
        return response
    }
}

extension Caller {
    fileprivate func shown(expires: Instant?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("account", .string(account.text)), .init("name", .string(name)), .init("kind", .string(kind.name)),
            .init("scope", .string(scope.description)),
        ]
        if let session { members.append(.init("session", .string(session.text))) }
        if let expires { members.append(.init("expires", .string(expires.description))) }
        return .object(members)
    }
}

extension SocketAddress {
    /// What attempts to sign in are counted by: an address, or for IPv6 the network that one customer has.
    var network: String? {
        guard let address = ipAddress else { return nil }
        guard case .v6 = self else { return address }
        var groups: [Substring] = []
        for half in [address.prefix { $0 != "%" }] {
            groups = half.split(separator: ":", omittingEmptySubsequences: false)
        }
        guard let gap = groups.firstIndex(of: "") else { return groups.prefix(4).joined(separator: ":") }
        // The gap stands for as many zeros as are missing.
        let front = groups[..<gap]
        let back = groups[gap...].filter { !$0.isEmpty }
        let zeros = Array(repeating: Substring("0"), count: max(0, 8 - front.count - back.count))
        return (front + zeros + back).prefix(4).joined(separator: ":")
    }
}

extension Problem {
    static let foreignPage = Problem(
        "foreign-page",
        .forbidden,
        "a browser's session may be used by the service's own pages alone: the header Origin must name this service"
    )
}
