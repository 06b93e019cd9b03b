package import FoundationEssentials
package import HealthModel

/// A token without its secret.
package struct TokenDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var scope: TokenScope
    package var issuedAt: Instant
    /// The first moment at which the token is no longer valid; nil if it does not expire.
    package var expires: Instant?
    package var revokedAt: Instant?
    package var lastUsedAt: Instant?

    /// Reports whether the token is valid at a moment.
    package func isValid(at now: Instant) -> Bool { revokedAt == nil && expires.map { now < $0 } ?? true }

    package static let definition = DocumentDefinition(
        TokenDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("scope", \.scope),
        DocumentMember("issuedAt", \.issuedAt),
        DocumentMember("expires", \.expires),
        DocumentMember("revokedAt", \.revokedAt),
        DocumentMember("lastUsedAt", \.lastUsedAt)
    )
}

extension TokenDocument {
    package init(_ state: TokenState, lastUse: Instant?) {
        id = state.id
        scope = state.scope
        issuedAt = state.issued.recordedAt
        expires = state.expires
        revokedAt = state.revoked?.recordedAt
        lastUsedAt = lastUse
    }
}

extension TokenScope {
    /// Describes the text of a scope.
    package static let schema: JSONValue = {
        let forms = all.map { $0.definition.takesCategory ? "\($0)(?::\(categoryPattern))?" : "\($0)" }
        return ["type": "string", "pattern": .string("^(?:\(forms.joined(separator: "|")))$")]
    }()
}
