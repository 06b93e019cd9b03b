import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// The caller's own session: started with a password or a one-time code, shown, and ended.
struct SessionRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/session",
            id: "signIn",
            summary: "Sign in with a name and a password, or with a one-time code",
            tag: .sessions,
            body: BodyDescription(schema: "SignIn", examples: []),
            answers: [.json("Session", "Signed in; the cookie is the session.", status: 201, headers: [.setCookie])],
            problems: [.invalid, .malformed, .unauthenticated, .foreignPage, .busy, .failed],
            isPublic: true,
            handler: begin
        ),
        Operation(
            method: .get,
            path: "/v1/session",
            id: "showSession",
            summary: "Show the caller's account and scope",
            tag: .sessions,
            answers: [.json("Session", "The caller.")],
            handler: show
        ),
        Operation(
            method: .delete,
            path: "/v1/session",
            id: "signOut",
            summary: "Sign out",
            tag: .sessions,
            answers: [
                AnswerDescription(status: 204, description: "Signed out; the cookie is invalid.", headers: [.setCookie])
            ],
            problems: [.conflict, .foreignPage],
            handler: end
        ),
    ]

    private func begin(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        // A page of another site must not sign in its visitor, neither to their own account nor to another one (login
        // CSRF).
        if request.isFromOwnPages == false { throw Problem.foreignPage }
        let document = try await request.json(["name", "password", "code"], atMost: BodyLimits.strangersBytes)
        let (name, password) = (try document.text("name"), try document.text("password"))
        let code = try document.text("code")
        guard code.isEmpty != (name.isEmpty && password.isEmpty) else {
            throw JournalError(.invalid, "give a name and a password, or a code")
        }
        let source = SignInSource(.http, address: context.client?.signInNetwork.description)
        let signIn =
            code.isEmpty
            ? try await journal.accounts.signIn(name: name, password: password, source)
            : try await journal.accounts.signIn(code: code, source)
        // Ends the previous session of the browser, which would otherwise stay open until it is idle for too long. An
        // error does not keep anybody from signing in, for example while the disk is full.
        if let old = context.caller, let session = old.session {
            _ = try? await journal.accounts.endSession(session, of: old.account, old)
        }
        let caller = try await journal.accounts.authenticate(signIn.secret, source: .http)
        var response = Response(caller.shown(expires: signIn.expires), status: .created)
        response.headers[.setCookie] = services.cookie.setting(signIn.secret, until: signIn.expires, now: journal.now)
        return response
    }

    private func show(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.requireCaller()
        return Response(caller.shown(expires: try await journal.accounts.expiry(of: caller)))
    }

    private func end(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let caller = try context.requireCaller()
        guard let session = caller.session else {
            throw JournalError(.conflict, "the request has a token, not a session; revoke the token instead")
        }
        _ = try await journal.accounts.endSession(session, of: caller.account, caller)
        var response = Response(status: .noContent)
        response.headers[.setCookie] = services.cookie.clearing
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

extension Problem {
    static let foreignPage = Problem(
        "foreign-page",
        .forbidden,
        "a browser's session may be used only by the service's own pages: the header Origin must name this service"
    )
}
