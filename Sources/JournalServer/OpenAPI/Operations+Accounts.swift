import HTTPTypes
import Interchange

extension OpenAPI {
    static let sessionOperations: [Operation] = [
        Operation(
            method: .post,
            path: "/v1/session",
            id: "signIn",
            summary: "Sign in with a name and a password, or with a one-time code",
            tag: .sessions,
            body: BodyDescription(schema: "SignIn", examples: []),
            answers: [.json("Session", "Signed in; the cookie is the session.", status: 201, headers: [.setCookie])],
            problems: [.invalid, .malformed, .unauthenticated, .foreignPage, .busy, .failed],
            isPublic: true
        ),
        Operation(
            method: .get,
            path: "/v1/session",
            id: "showSession",
            summary: "Show the caller's account and scope",
            tag: .sessions,
            answers: [.json("Session", "The caller.")]
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
            problems: [.conflict, .foreignPage]
        ),
    ]

    static let accountOperations: [Operation] = [
        Operation(
            method: .get,
            path: "/v1/accounts",
            id: "listAccounts",
            summary: "List the accounts",
            tag: .accounts,
            answers: [.json("Accounts", "All accounts.")],
            problems: [.refused]
        ),
        Operation(
            method: .post,
            path: "/v1/accounts",
            id: "addAccount",
            summary: "Add an account",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewAccount", examples: Examples.newAccounts),
            answers: [
                .json(
                    "Written",
                    "Added.",
                    status: 201,
                    headers: [.eTag],
                    links: [
                        LinkDescription(operation: "issueToken", parameters: [(.account, "$response.body#/account")])
                    ]
                )
            ],
            problems: [.refused, .conflict]
        ),
        Operation(
            method: .put,
            path: "/v1/accounts/{account}/password",
            id: "setPassword",
            summary: "Set the password of an account, which ends its other sessions",
            tag: .accounts,
            parameters: [.reason],
            body: BodyDescription(schema: "NewPassword", examples: Examples.passwords),
            answers: [.json("PasswordSet", "Durable. Lists the other credentials.", headers: [.eTag])],
            problems: [.conflict]
        ),
        Operation(
            method: .get,
            path: "/v1/accounts/{account}/tokens",
            id: "listTokens",
            summary: "List the tokens of an account, without their secrets",
            tag: .accounts,
            answers: [.json("Tokens", "All tokens, revoked and expired ones too.")]
        ),
        Operation(
            method: .post,
            path: "/v1/accounts/{account}/tokens",
            id: "issueToken",
            summary: "Issue a token, which is shown only once",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewToken", examples: Examples.newTokens),
            answers: [.json("IssuedToken", "The token.", status: 201)],
            problems: [.conflict]
        ),
        Operation(
            method: .delete,
            path: "/v1/accounts/{account}/tokens/{token}",
            id: "revokeToken",
            summary: "Revoke a token, effective from the next request",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict]
        ),
        Operation(
            method: .get,
            path: "/v1/accounts/{account}/identities",
            id: "listIdentities",
            summary: "List the identities of an account at other providers",
            tag: .accounts,
            answers: [.json("Identities", "All identities that are linked now.")]
        ),
        Operation(
            method: .post,
            path: "/v1/accounts/{account}/identities",
            id: "linkIdentity",
            summary: "Link an identity of an OpenID provider, whose tokens then work for the account",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            body: BodyDescription(schema: "NewIdentity", examples: Examples.newIdentities),
            answers: [.json("Written", "Linked.", status: 201, headers: [.eTag])],
            problems: [.conflict]
        ),
        Operation(
            method: .delete,
            path: "/v1/accounts/{account}/identities/{identity}",
            id: "unlinkIdentity",
            summary: "Unlink an identity, effective from the next request",
            tag: .accounts,
            parameters: [.reason, .idempotencyKey],
            answers: [.written],
            problems: [.conflict]
        ),
    ]
}
