package import FoundationEssentials
package import HealthModel

/// An account, as administrators see it.
package struct AccountDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var name: String
    package var kind: AccountKind
    package var email: String
    /// The name by which other people see the account; nil if its holder gave none.
    package var displayName: String?
    package var addedAt: Instant
    /// The last time at which a session began or the use of a token was recorded; nil if there is none.
    package var lastLoginAt: Instant?
    /// Nil for an account without one.
    package var subscription: SettingsDocument<Subscription>?
    package var hasPassword: Bool
    /// All its tokens, also revoked and expired ones, in the order in which they were issued.
    package var tokens: [TokenDocument]

    package static let definition = DocumentDefinition(
        AccountDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("name", \.name),
        DocumentMember("kind", \.kind),
        DocumentMember("email", \.email),
        DocumentMember("displayName", \.displayName),
        DocumentMember("addedAt", \.addedAt),
        DocumentMember("lastLoginAt", \.lastLoginAt),
        DocumentMember("subscription", \.subscription),
        DocumentMember("hasPassword", \.hasPassword),
        DocumentMember("tokens", \.tokens)
    )
}

extension AccountDocument {
    package init(_ state: AccountState, tokens: [TokenDocument]) {
        id = state.id
        name = state.name
        kind = state.kind
        email = state.email
        displayName = state.details.displayName.isEmpty ? nil : state.details.displayName
        addedAt = state.added.recordedAt
        lastLoginAt = state.lastLoginAt
        subscription = state.subscription.map { SettingsDocument($0) }
        hasPassword = state.password != nil
        self.tokens = tokens
    }
}
