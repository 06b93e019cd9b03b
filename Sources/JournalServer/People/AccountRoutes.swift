import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// Routes for accounts, their passwords, their tokens and their linked identities at the provider.
struct AccountRoutes: Routes {
    let services: Services

    static let operations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/accounts",
            id: "listAccounts",
            summary: "List the accounts",
            tag: .accounts,
            answers: [.json("Accounts", "All accounts.")],
            problems: [.refused],
            handler: list
        ),
        Operation(
            method: .post,
            path: "/v1/accounts",
            id: "addAccount",
            summary: "Add an account",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewAccount", examples: newAccountExamples),
            answers: [
                .json(
                    "Written",
                    "Added.",
                    status: 201,
                    headers: [.eTag],
                    links: [
                        LinkDescription(operation: "issueToken", parameters: [("account", "$response.body#/account")])
                    ]
                )
            ],
            problems: [.refused, .conflict],
            handler: add
        ),
        Operation(
            method: .delete,
            path: "/v1/accounts/{account}",
            id: "removeAccount",
            summary: "Remove an account, effective from the next request",
            description: """
                Ends its credentials, its access to records, its memberships and its calendars. The history still names it. \
                An account that is the only owner of a record, or the last manager of a practice, cannot be removed.
                """,
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: remove
        ),
        Operation(
            method: .put,
            path: "/v1/accounts/{account}/password",
            id: "setPassword",
            summary: "Set the password of an account, which ends its other sessions",
            tag: .accounts,
            parameters: [.reason],
            body: BodyDescription(schema: "NewPassword", examples: passwordExamples),
            answers: [.json("PasswordSet", "Durable. Lists the other credentials.", headers: [.eTag])],
            problems: [.conflict],
            handler: setPassword
        ),
        Operation(
            method: .get,
            path: "/v1/accounts/{account}/credentials",
            id: "listCredentials",
            summary: "List what gives access to an account's data independently of its password",
            description: """
                Valid tokens, identities, calendars and channels with names. Calendars and channels are listed for those \
                who may set the account's password, and with it end them.
                """,
            tag: .accounts,
            answers: [.json("Credentials", "What a change of the password can end as well.")],
            handler: credentials
        ),
        Operation(
            method: .get,
            path: "/v1/accounts/{account}/tokens",
            id: "listTokens",
            summary: "List the tokens of an account, without their secrets",
            tag: .accounts,
            answers: [.json("Tokens", "All tokens, revoked and expired ones too.")],
            handler: tokens
        ),
        Operation(
            method: .post,
            path: "/v1/accounts/{account}/tokens",
            id: "issueToken",
            summary: "Issue a token, which is shown only once",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewToken", examples: newTokenExamples),
            answers: [.json("IssuedToken", "The token.", status: 201)],
            problems: [.conflict],
            handler: issue
        ),
        Operation(
            method: .delete,
            path: "/v1/accounts/{account}/tokens/{token}",
            id: "revokeToken",
            summary: "Revoke a token, effective from the next request",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: revoke
        ),
        Operation(
            method: .get,
            path: "/v1/accounts/{account}/identities",
            id: "listIdentities",
            summary: "List the identities of an account at other providers",
            tag: .accounts,
            answers: [.json("Identities", "All identities that are linked now.")],
            handler: identities
        ),
        Operation(
            method: .post,
            path: "/v1/accounts/{account}/identities",
            id: "linkIdentity",
            summary: "Link an identity of an OpenID provider, whose tokens then work for the account",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewIdentity", examples: newIdentityExamples),
            answers: [.json("Written", "Linked.", status: 201, headers: [.eTag])],
            problems: [.conflict],
            handler: link
        ),
        Operation(
            method: .delete,
            path: "/v1/accounts/{account}/identities/{identity}",
            id: "unlinkIdentity",
            summary: "Unlink an identity, effective from the next request",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict],
            handler: unlink
        ),
    ]

    private func list(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let accounts = try await journal.accounts(context.requireCaller())
        return Response(["accounts": .array(accounts.map { journal.document(of: $0).json })])
    }

    private func add(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["name", "email", "kind"])
        let kind = try document.text("kind")
        let profile = AccountProfile(
            name: try document.text("name"),
            email: try document.text("email"),
            kind: kind.isEmpty ? .person : try AccountKind(named: kind)
        )
        let caller = try context.writer(request, body: document.bytes, reason: query[.reason])
        return try await journal.addAccount(profile, caller).response(.created)
    }

    private func remove(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await journal.removeAccount(context.account(), context.writer(request, reason: query[.reason])).response()
    }

    private func setPassword(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["password", "current", "revoke"])
        let account = try context.account()
        var caller = try context.requireCaller()
        caller.reason = try JournalEvent.received(reason: query[.reason] ?? "")
        let result = try await journal.setPassword(
            of: account,
            to: document.text("password"),
            current: document.secret("current"),
            revoking: Revocation(parsing: document.texts("revoke")),
            caller
        )
        return result.response(adding: journal.members(of: try await journal.lastingAccess(of: account, caller)))
    }

    private func credentials(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let access = try await journal.lastingAccess(of: context.account(), context.requireCaller())
        return Response(.object(journal.members(of: access)))
    }

    private func tokens(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let tokens = try await journal.tokens(of: context.account(), context.requireCaller())
        return Response(["tokens": .array(tokens.map { journal.document(of: $0).json })])
    }

    private func issue(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
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
            context.writer(request, body: document.bytes(without: "current"), reason: query[.reason])
        )
        return Response(
            .object([
                .init("token", .string(issued.secret)), .init("id", .string(issued.id.text)),
                .init("position", .integer(issued.position)),
            ]),
            status: .created
        )
    }

    private func revoke(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await journal.revokeToken(
            context.token(),
            of: context.account(),
            context.writer(request, reason: query[.reason])
        )
        .response()
    }

    private func identities(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let identities = try await journal.identities(of: context.account(), context.requireCaller())
        return Response(["identities": .array(identities.map { IdentityDocument($0).json })])
    }

    private func link(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["issuer", "subject", "token", "current"])
        let caller = try context.writer(request, body: document.bytes(without: "current"), reason: query[.reason])
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
        guard let provider = services.provider else {
            throw JournalError(.conflict, field: "token", "this service has no sign-in provider")
        }
        do {
            return try await provider.subject(of: token)
        } catch {
            guard error.code == .unauthenticated else { throw error }
            throw JournalError(.invalid, field: "token", error.message)
        }
    }

    private func unlink(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        try await journal.unlinkIdentity(
            context.identity(),
            of: context.account(),
            context.writer(request, reason: query[.reason])
        )
        .response()
    }
}

extension Journal {
    fileprivate func members(of access: LastingAccess) -> [JSONValue.Member] {
        [
            .init("tokens", .array(access.tokens.map { document(of: $0).json })),
            .init("identities", .array(access.identities.map { IdentityDocument($0).json })),
            .init("calendars", .array(access.calendars.map { document(of: $0.state).json })),
            .init("channels", .array(access.channels.map { ChannelDocument($0).json })),
        ]
    }
}

extension AccountRoutes {
    private static let newAccountExamples: [Example] = [
        ("person", ["name": "Anna Berg", "email": "anna@example.org"]), ("scale", ["name": "scale", "kind": "tool"]),
    ]

    private static let passwordExamples: [Example] = [("first", ["password": "seven pale lanterns"])]

    private static let newTokenExamples: [Example] = [
        ("reader", ["scope": "read", "expires": "2199-01-01T00:00:00Z"])
    ]

    private static let newIdentityExamples: [Example] = [
        ("provider", ["issuer": "https://id.example.org", "subject": "8a7f12"])
    ]
}
