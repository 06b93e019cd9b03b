package import FoundationEssentials
package import HealthModel

/// Who asks for something, through which door, and why.
package struct Caller: Hashable, Sendable {
    package var account: UUID
    package var name: String
    package var kind: AccountKind
    /// What the token that was shown lets its bearer do at most.
    package var scope: TokenScope
    /// The session that was shown, if it was one.
    package var session: UUID?
    /// The token that was shown, if it was one.
    package var token: UUID?
    package var source: EventSource
    /// Why a change is made; kept with its events.
    package var reason: String
    /// Why something is looked at; kept with the access event.
    package var purpose: String
    /// By which the same request is known when it comes again.
    package var request: RequestKey?
    /// What ties together the events of all services that a request went through; nil for one of its own.
    package var correlation: UUID?

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
