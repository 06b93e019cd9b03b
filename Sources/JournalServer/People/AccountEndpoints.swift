package import FoundationEssentials
import HTTPTypes
package import HealthJournal
package import HealthModel
import Hummingbird
package import Interchange

/// Accounts, their tokens and their linked identities at the provider.
package enum AccountEndpoints: OperationGroup {
    package static let list = Endpoint(
        .get,
        "/v1/accounts",
        id: "listAccounts",
        "List the accounts",
        tag: .accounts,
        returns: .list("accounts", "Accounts", "All accounts."),
        problems: [.refused]
    ) { journal, caller in
        try await journal.accounts.list(caller).map { journal.document(of: $0) }
    }

    package static let add = Endpoint(
        .post,
        "/v1/accounts",
        id: "addAccount",
        "Add an account",
        tag: .accounts,
        takes: .newAccount,
        returns: .addedAccount,
        problems: [.refused, .conflict]
    ) { journal, caller, profile in
        try await journal.accounts.addAccount(profile, caller)
    }

    package static let remove = Endpoint(
        .delete,
        "/v1/accounts/{account}",
        id: "removeAccount",
        "Remove an account, effective from the next request",
        description: """
            Ends its credentials, its access to records, its memberships and its calendars. The history still names it. \
            An account that is the only owner of a record, or the last manager of a practice, cannot be removed.
            """,
        tag: .accounts,
        takes: .account,
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, account in
        try await journal.accounts.removeAccount(account, caller)
    }

    package static let credentials = Endpoint(
        .get,
        "/v1/accounts/{account}/credentials",
        id: "listCredentials",
        "List what gives access to an account's data independently of its password",
        description: """
            Valid tokens, identities, calendars and channels with names. Calendars and channels are listed for those \
            who may set the account's password, and with it end them.
            """,
        tag: .accounts,
        takes: .account,
        returns: .credentials
    ) { journal, caller, account in
        Credentials(try await journal.accounts.lastingAccess(of: account, caller), journal)
    }

    package static let tokens = Endpoint(
        .get,
        "/v1/accounts/{account}/tokens",
        id: "listTokens",
        "List the tokens of an account, without their secrets",
        tag: .accounts,
        takes: .account,
        returns: .list("tokens", "Tokens", "All tokens, revoked and expired ones too.")
    ) { journal, caller, account in
        try await journal.accounts.tokens(of: account, caller).map { journal.document(of: $0) }
    }

    package static let issueToken = Endpoint(
        .post,
        "/v1/accounts/{account}/tokens",
        effect: .secret,
        id: "issueToken",
        "Issue a token, which is shown only once",
        tag: .accounts,
        takes: .account,
        .newToken,
        returns: .issuedToken,
        problems: [.conflict]
    ) { journal, caller, account, asked in
        let issued = try await journal.accounts.issueToken(
            to: account,
            scope: asked.scope,
            expires: asked.expires?.instant(in: journal.zone),
            current: asked.current,
            caller
        )
        return IssuedToken(secret: issued.secret, id: issued.id, position: issued.position)
    }

    package static let revokeToken = Endpoint(
        .delete,
        "/v1/accounts/{account}/tokens/{token}",
        id: "revokeToken",
        "Revoke a token, effective from the next request",
        tag: .accounts,
        takes: .account,
        .id("token"),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, account, token in
        try await journal.accounts.revokeToken(token, of: account, caller)
    }

    package static let identities = Endpoint(
        .get,
        "/v1/accounts/{account}/identities",
        id: "listIdentities",
        "List the identities of an account at other providers",
        tag: .accounts,
        takes: .account,
        returns: .list("identities", "Identities", "All identities that are linked now.")
    ) { journal, caller, account in
        try await journal.accounts.identities(of: account, caller).map { IdentityDocument($0) }
    }

    package static let unlinkIdentity = Endpoint(
        .delete,
        "/v1/accounts/{account}/identities/{identity}",
        id: "unlinkIdentity",
        "Unlink an identity, effective from the next request",
        tag: .accounts,
        takes: .account,
        .id("identity"),
        returns: .written,
        problems: [.conflict]
    ) { journal, caller, account, identity in
        try await journal.accounts.unlinkIdentity(identity, of: account, caller)
    }

    static let operations = [
        Operation(list), Operation(add), Operation(remove), AccountRoutes.setPassword, Operation(credentials),
        Operation(tokens), Operation(issueToken), Operation(revokeToken), Operation(identities),
        AccountRoutes.linkIdentity, Operation(unlinkIdentity),
    ]
}

/// What gives access to the data of an account independently of its password.
package struct Credentials: Sendable {
    package let tokens: [TokenDocument]
    package let identities: [IdentityDocument]
    package let calendars: [CalendarDocument]
    package let channels: [ChannelDocument]

    package var isEmpty: Bool { tokens.isEmpty && identities.isEmpty && calendars.isEmpty && channels.isEmpty }

    init(_ access: LastingAccess, _ journal: Journal) {
        tokens = access.tokens.map { journal.document(of: $0) }
        identities = access.identities.map { IdentityDocument($0) }
        calendars = access.calendars.map { journal.document(of: $0.state) }
        channels = access.channels.map { ChannelDocument($0) }
    }

    fileprivate init(_ object: NativeObject) throws(ModelError) {
        tokens = try object.documents("tokens")
        identities = try object.documents("identities")
        calendars = try object.documents("calendars")
        channels = try object.documents("channels")
    }

    var members: [JSONValue.Member] {
        [
            .init("tokens", .array(tokens.map(\.json))), .init("identities", .array(identities.map(\.json))),
            .init("calendars", .array(calendars.map(\.json))), .init("channels", .array(channels.map(\.json))),
        ]
    }
}

/// A request for a token.
package struct NewToken: Sendable {
    /// When a token expires.
    package enum End: Sendable {
        case instant(Instant)
        /// The last day on which it is valid, by the journal's clock.
        case day(Day)

        fileprivate init(parsing text: String) throws(ModelError) {
            if let day = try? Day(parsing: text) {
                self = .day(day)
            } else {
                self = .instant(try Instant(parsing: text))
            }
        }

        fileprivate var text: String {
            switch self {
            case .instant(let instant): instant.description
            case .day(let day): day.description
            }
        }

        fileprivate func instant(in zone: TimeZone) -> Instant {
            switch self {
            case .instant(let instant): instant
            case .day(let day): day.end(in: zone)
            }
        }
    }

    package var scope: TokenScope
    /// Nil if it does not expire.
    package var expires: End?
    /// The current password of the caller's own account.
    package var current: String?

    package init(_ scope: TokenScope, expires: End?, current: String?) {
        (self.scope, self.expires, self.current) = (scope, expires, current)
    }
}

/// A token that was issued, with its secret, which is stored nowhere.
package struct IssuedToken: Sendable {
    package let secret: String
    package let id: UUID
    package let position: UInt64

    package var json: JSONValue {
        ["token": .string(secret), "id": .string(id.text), "position": .integer(position)]
    }
}

extension RequestPart where Value == AccountProfile {
    fileprivate static var newAccount: Self {
        let examples: [Example] = [
            ("person", ["name": "Anna Berg", "email": "anna@example.org"]),
            ("scale", ["name": "scale", "kind": "tool"]),
        ]
        return Self(body: BodyDescription(schema: "NewAccount", examples: examples)) {
            let object = try $0.object
            try object.requireMembers(["name", "email", "kind"])
            let kind = try object.text("kind") ?? ""
            return AccountProfile(
                name: try object.text("name") ?? "",
                email: try object.text("email") ?? "",
                kind: kind.isEmpty ? .person : try AccountKind(named: kind)
            )
        } write: {
            $1.body = ["name": .string($0.name), "email": .string($0.email), "kind": .string($0.kind.name)]
        }
    }
}

extension RequestPart where Value == NewToken {
    fileprivate static var newToken: Self {
        let example: JSONValue = ["scope": "read", "expires": "2199-01-01T00:00:00Z"]
        let body = BodyDescription(schema: "NewToken", examples: [("reader", example)])
        return Self(body: body, secret: "current") { request in
            let object = try request.object
            try object.requireMembers(["scope", "expires", "current"])
            var token = NewToken(
                try TokenScope(parsing: object.text("scope") ?? ""),
                expires: nil,
                current: try object.text("current").flatMap { $0.isEmpty ? nil : $0 }
            )
            if let end = try object.text("expires"), !end.isEmpty {
                do throws(ModelError) {
                    token.expires = try NewToken.End(parsing: end)
                } catch {
                    throw JournalError(.invalid, field: "expires", error.text)
                }
            }
            return token
        } write: { token, request in
            request.body = .present([
                "scope": .string(token.scope.description), "current": token.current.map { .string($0) },
                "expires": token.expires.map { .string($0.text) },
            ])
        }
    }
}

extension EndpointAnswer where Output == WriteResult {
    fileprivate static let addedAccount = Self([
        .json(
            "Written",
            "Added.",
            status: 201,
            headers: [.eTag],
            links: [LinkDescription(operation: "issueToken", parameters: [("account", "$response.body#/account")])]
        )
    ]) { $0.response(.created) }
}

extension EndpointAnswer where Output == Credentials {
    fileprivate static let credentials = Self(descriptions: [
        .json("Credentials", "What a change of the password can end as well.")
    ]) {
        Response(.object($0.members))
    } read: { object, _ throws(ModelError) in
        try Credentials(object)
    }
}

extension EndpointAnswer where Output == IssuedToken {
    fileprivate static let issuedToken = shown("IssuedToken", "The token.") {
        $0.json
    } read: { object throws(ModelError) in
        IssuedToken(
            secret: try object.required("token"),
            id: try object.id("id"),
            position: try object.number("position")
        )
    }
}
