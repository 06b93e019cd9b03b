import HealthJournal
import HealthModel
import Interchange

/// Schemas for sessions, accounts and tokens.
extension OpenAPI {
    static let peopleSchemas: [JSONValue.Member] = [
        .init(
            "SignIn",
            [
                "type": "object",
                "description": "Either a name and a password, or a code.",
                "properties": ["name": text, "password": text, "code": text],
                "if": given("code"), "then": without("name", "password"), "else": given("name", "password"),
                "additionalProperties": false,
            ]
        ),
        .init(
            "Session",
            object(
                [
                    "account": JSONSchema.identifier, "name": ["type": "string"], "kind": kind,
                    "scope": TokenScope.schema,
                ],
                optional: ["session": JSONSchema.identifier, "expires": JSONSchema.time]
            )
        ),
        .init("NewAccount", object(["name": line], optional: ["email": email, "kind": newKind])),
        .init("Accounts", list("accounts", of: "Account")),
        .init(
            "NewPassword",
            object(["password": password], optional: ["current": current, "revoke": revoked])
        ),
        .init(
            "PasswordSet",
            object(
                .object(
                    [
                        .init("position", JSONSchema.position), .init("account", JSONSchema.identifier),
                        .init("changed", ["type": "boolean"]),
                    ] + credentials
                )
            )
        ),
        .init("Credentials", object(.object(credentials))),
        .init("Tokens", list("tokens", of: "Token")),
        .init(
            "NewToken",
            object(
                ["scope": TokenScope.schema],
                optional: [
                    "expires": [
                        "anyOf": [JSONSchema.time, JSONSchema.date, ["enum": ["", .null]]],
                        "description": "When the token expires: a time, or the last day. By default it does not.",
                    ],
                    "current": current,
                ]
            )
        ),
        .init("Identities", list("identities", of: "Identity")),
        .init(
            "NewIdentity",
            [
                "type": "object",
                "description":
                    "Either a token of the provider, as proof, or, from the journal's owner, its issuer and subject.",
                "properties": ["token": text, "issuer": claim, "subject": claim, "current": current],
                "if": given("token"), "then": without("issuer", "subject"), "else": named,
                "additionalProperties": false,
            ]
        ),
        .init(
            "IssuedToken",
            object([
                "token": ["type": "string", "description": "The secret; the journal does not store it."],
                "id": JSONSchema.identifier, "position": JSONSchema.position,
            ])
        ),
    ]

    /// A text without a length limit of its own; null and an empty text count as missing.
    private static let text: JSONValue = ["type": ["string", "null"]]

    /// A claim of a provider's token that identifies an account's holder: one line of text.
    private static let claim: JSONValue = [
        "type": ["string", "null"], "maxLength": .integer(Limits.line),
        "pattern": "^[^\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufdd0-\\ufdef\\ufffe\\uffff]*$",
    ]

    static let current: JSONValue = [
        "type": ["string", "null"],
        "description": """
        The current password of the caller's own account. Required where that account has one, regardless of the \
        credential of the request. An account without one must have signed in within the last 15 minutes; a token that \
        expires cannot create access that lasts longer.
        """,
    ]

    private static let credentials: [JSONValue.Member] = [
        .init(
            "tokens",
            ["type": "array", "items": reference("Token"), "description": "The tokens that are still valid."]
        ),
        .init(
            "identities",
            ["type": "array", "items": reference("Identity"), "description": "The identities that are still linked."]
        ),
        .init(
            "calendars",
            ["type": "array", "items": reference("Calendar"), "description": "The calendars that are still linked."]
        ),
        .init(
            "channels",
            ["type": "array", "items": reference("Channel"), "description": "The channels that still get names."]
        ),
    ]

    private static let revoked: JSONValue = [
        "type": ["array", "null"], "items": ["anyOf": [JSONSchema.identifier, ["const": "all"]]],
        "description": """
        Tokens, identities, calendars and channels with names of the account that end with the change: their ids, or \
        the word all. The word all does not revoke the token of the request itself.
        """,
    ]

    private static func given(_ names: String...) -> JSONValue {
        [
            "required": .array(names.map { .string($0) }),
            "properties": .object(names.map { .init($0, ["type": "string", "minLength": 1]) }),
        ]
    }

    private static func without(_ names: String...) -> JSONValue {
        ["properties": .object(names.map { .init($0, ["enum": ["", .null]]) })]
    }

    private static let line: JSONValue = ["allOf": [JSONSchema.lineText(maximum: Limits.line), ["minLength": 1]]]
    private static let email: JSONValue = [
        "anyOf": [JSONSchema.lineText(maximum: Limits.email), ["type": "null"]]
    ]
    private static let kinds = AccountKind.allCases.map { JSONValue.string($0.name) }
    private static let kind: JSONValue = ["enum": .array(kinds)]
    private static let newKind: JSONValue = [
        "enum": .array(kinds + ["", .null]), "description": "The default is a person.",
    ]
    private static let password: JSONValue = ["type": "string", "minLength": 10, "maxLength": 1_024]
    private static let named: JSONValue = [
        "required": ["issuer", "subject"], "properties": ["issuer": line, "subject": line],
    ]
}
