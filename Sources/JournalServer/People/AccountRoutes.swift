import FoundationEssentials
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// The operations on accounts that are more than an endpoint: a password leaves no trace, and a provider's token is
/// checked by the service.
struct AccountRoutes: Routes {
    let services: Services

    static let operations = [setPassword, linkIdentity]

    static let setPassword = Operation(
        method: .put,
        path: "/v1/accounts/{account}/password",
        id: "setPassword",
        summary: "Set the password of an account, which ends its other sessions",
        tag: .accounts,
        parameters: [.reason],
        body: BodyDescription(schema: "NewPassword", examples: [("first", ["password": "seven pale lanterns"])]),
        answers: [.json("PasswordSet", "Durable. Lists the other credentials.", headers: [.eTag])],
        problems: [.conflict],
        handler: setPassword
    )

    static let linkIdentity = Operation(
        method: .post,
        path: "/v1/accounts/{account}/identities",
        id: "linkIdentity",
        summary: "Link an identity of an OpenID provider, whose tokens then work for the account",
        tag: .accounts,
        parameters: [.reason, .idempotencyKey],
        body: BodyDescription(
            schema: "NewIdentity",
            examples: [("provider", ["issuer": "https://id.example.org", "subject": "8a7f12"])]
        ),
        answers: [.json("Written", "Linked.", status: 201, headers: [.eTag])],
        problems: [.conflict],
        handler: link
    )

    private func setPassword(_ request: Request, _ context: ServerContext, _ query: Query) async throws -> Response {
        let document = try await request.json(["password", "current", "revoke"])
        let account = try context.account()
        var caller = try context.requireCaller()
        caller.reason = try JournalEvent.received(reason: query[.reason] ?? "")
        let result = try await journal.accounts.setPassword(
            of: account,
            to: document.text("password"),
            current: document.secret("current"),
            revoking: Revocation(parsing: document.texts("revoke")),
            caller
        )
        let access = try await journal.accounts.lastingAccess(of: account, caller)
        return result.response(adding: Credentials(access, journal).members)
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
            try await journal.accounts
            .linkIdentity(
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
            throw JournalError(.invalid, field: "token", error.text)
        }
    }
}
