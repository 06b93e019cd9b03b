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
    package var source: EventSource
    /// Why a change is made; kept with its events.
    package var reason: String
    /// Why something is looked at; kept with the access event.
    package var purpose: String

    package init(
        account: UUID,
        name: String,
        kind: AccountKind,
        scope: TokenScope = .full,
        session: UUID? = nil,
        source: EventSource,
        reason: String = "",
        purpose: String = ""
    ) {
        self.account = account
        self.name = name
        self.kind = kind
        self.scope = scope
        self.session = session
        self.source = source
        self.reason = reason
        self.purpose = purpose
    }
}
