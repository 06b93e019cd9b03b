import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for accounts, their passwords, their tokens and their linked identities at the provider.
struct AccountRoutes {
    let journal: Journal
    let provider: OpenIDProvider?

    func add(to group: RouterGroup<ServerContext>) {
        group.get("accounts", use: list)
        group.post("accounts", use: add)
        group.put("accounts/:account/password", use: setPassword)
        group.get("accounts/:account/tokens", use: tokens)
        group.post("accounts/:account/tokens", use: issue)
        group.delete("accounts/:account/tokens/:token", use: revoke)
        group.get("accounts/:account/identities", use: identities)
        group.post("accounts/:account/identities", use: link)
        group.delete("accounts/:account/identities/:identity", use: unlink)
    }

    @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let accounts = try await journal.accounts(context.requireCaller())
        return Response(.object([.init("accounts", .array(accounts.map(\.shown)))]))
    }

    @Sendable private func add(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["name", "email", "kind"])
        let kind = try document.text("kind")
        let profile = AccountProfile(
            name: try document.text("name"),
            email: try document.text("email"),
            kind: kind.isEmpty ? .person : try AccountKind(named: kind)
        )
        let caller = try context.writer(request, body: document.bytes, reason: query["reason"])
        return try await journal.addAccount(profile, caller).response(.created)
    }

    @Sendable private func setPassword(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["password", "current", "revoke"])
        let account = try context.account()
        var caller = try context.requireCaller()
        caller.reason = query["reason"] ?? ""
        let result = try await journal.setPassword(
            of: account,
            to: document.text("password"),
            current: document.secret("current"),
            revoking: Revocation(parsing: document.texts("revoke")),
            caller
        )
        let left = try await journal.credentials(of: account, caller)
        return result.response(adding: [
            .init("tokens", .array(left.tokens.map { $0.shown(lastUse: journal.lastUse(of: $0)) })),
            .init("identities", .array(left.identities.map(\.native))),
        ])
    }

    @Sendable private func tokens(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let tokens = try await journal.tokens(of: context.account(), context.requireCaller())
        return Response(.object([.init("tokens", .array(tokens.map { $0.shown(lastUse: journal.lastUse(of: $0)) }))]))
    }

    @Sendable private func issue(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["scope", "expires", "current"])
        let expires = try document.text("expires")
        var until: Instant?
        do throws(ModelError) {
            // A day is valid until its end.
            if let day = try? Day(parsing: expires) {
                until = day.end(in: journal.zone)
            } else if !expires.isEmpty {
                until = try Instant(parsing: expires)
            }
        } catch {
            throw JournalError(.invalid, field: "expires", error.message)
        }
        let issued = try await journal.issueToken(
            to: context.account(),
            scope: TokenScope(parsing: document.text("scope")),
            expires: until,
            current: document.secret("current"),
            context.writer(request, body: document.bytes(without: "current"), reason: query["reason"])
        )
        return Response(
            .object([
                .init("token", .string(issued.secret)), .init("id", .string(issued.id.text)),
                .init("position", .integer(issued.position)),
            ]),
            status: .created
        )
    }

    @Sendable private func revoke(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        return
            try await journal.revokeToken(
                context.token(),
                of: context.account(),
                context.writer(request, reason: query["reason"])
            )
            .response()
    }

    @Sendable private func identities(_ request: Request, _ context: ServerContext) async throws -> Response {
        _ = try Query(request, [])
        let identities = try await journal.identities(of: context.account(), context.requireCaller())
        return Response(.object([.init("identities", .array(identities.map(\.native)))]))
    }

    @Sendable private func link(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        let document = try await request.json(["issuer", "subject", "token", "current"])
        let caller = try context.writer(request, body: document.bytes(without: "current"), reason: query["reason"])
        let token = try document.text("token")
        var (issuer, subject) = (try document.text("issuer"), try document.text("subject"))
        guard token.isEmpty != (issuer.isEmpty && subject.isEmpty) else {
            throw JournalError(.invalid, "give a token, or an issuer and a subject")
        }
        if !token.isEmpty { (issuer, subject, _) = try await shown(by: token) }
        return
            try await journal.linkIdentity(
                issuer: issuer,
                subject: subject,
                isProven: !token.isEmpty,
                to: context.account(),
                current: document.secret("current"),
                caller
            )
            .response(.created)
    }

    /// Returns the identity that a provider's token proves.
    private func shown(by token: String) async throws -> (
        issuer: String, subject: String, signedIn: Instant?
    ) {
        guard let provider else {
            throw JournalError(.conflict, field: "token", "this service has no sign-in provider")
        }
        do {
            return try await provider.subject(of: token)
        } catch {
            guard error.code == .unauthenticated else { throw error }
            throw JournalError(.invalid, field: "token", error.message)
        }
    }

    @Sendable private func unlink(_ request: Request, _ context: ServerContext) async throws -> Response {
        let query = try Query(request, ["reason"])
        return
            try await journal.unlinkIdentity(
                context.identity(),
                of: context.account(),
                context.writer(request, reason: query["reason"])
            )
            .response()
    }
}

extension AccountState {
    fileprivate var shown: JSONValue {
        .object([
            .init("id", .string(id.text)), .init("name", .string(name)), .init("kind", .string(kind.name)),
            .init("email", .string(email)), .init("addedAt", .string(added.recordedAt.description)),
            .init("hasPassword", .bool(password != nil)),
        ])
    }
}

extension TokenState {
    fileprivate func shown(lastUse: Instant?) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", .string(id.text)), .init("scope", .string(scope.description)),
            .init("issuedAt", .string(issued.recordedAt.description)),
        ]
        if let expires { members.append(.init("expires", .string(expires.description))) }
        if let revoked { members.append(.init("revokedAt", .string(revoked.recordedAt.description))) }
        if let lastUse { members.append(.init("lastUsedAt", .string(lastUse.description))) }
        return .object(members)
    }
}
