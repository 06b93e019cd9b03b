package import FoundationEssentials
package import HealthModel

/// The account that makes a request, with its credential, its source and its reason.
package struct Caller: Hashable, Sendable {
    package var account: UUID
    package var name: String
    package var kind: AccountKind
    /// The scope of the token that authenticated the request, which limits the account's rights.
    package var scope: TokenScope
    /// The session that authenticated the request, if any.
    package var session: UUID?
    /// When that session expires.
    package var sessionExpires: Instant?
    /// The token that authenticated the request, if any.
    package var token: UUID?
    /// The time of the sign-in at an identity provider, if the provider reports it.
    ///
    /// For a session, the start of the session is used instead.
    package var signedIn: Instant?
    package var source: EventSource
    /// The reason for a change, which is stored with its events.
    package var reason: String
    /// Whether the journal requires subscriptions and that of the account is over.
    package var isSubscriptionOver = false
    /// The purpose of a read, which is stored with the access event.
    package var purpose: String
    /// The idempotency key of the request, if the client sent one.
    package var request: RequestKey?
    /// The correlation id that links the events of all services that a request passed through.
    ///
    /// If nil, the request has a correlation id of its own.
    package var correlation: UUID?
    /// When and on which device the change was made, if a device sends it later.
    package var origin: ChangeOrigin?

    package init(
        account: UUID,
        name: String,
        kind: AccountKind,
        scope: TokenScope = .full,
        session: UUID? = nil,
        source: EventSource,
        reason: String = "",
        purpose: String = "",
        request: RequestKey? = nil,
        correlation: UUID? = nil
    ) {
        self.account = account
        self.name = name
        self.kind = kind
        self.scope = scope
        self.session = session
        self.source = source
        self.reason = reason
        self.purpose = purpose
        self.request = request
        self.correlation = correlation
    }
}

extension Caller {
    /// Whether the account can own records or have access to them by grants.
    package var hasRecords: Bool { Gate.hasRecords(kind) }
}
