package import FoundationEssentials
package import HealthModel

/// An identity at an OpenID provider that is linked to an account.
package struct IdentityDocument: DefinedDocument, Hashable {
    package var id: UUID
    package var issuer: String
    package var subject: String
    package var linkedAt: Instant

    package static let definition = DocumentDefinition(
        IdentityDocument.init,
        DocumentMember("id", \.id),
        DocumentMember("issuer", \.issuer),
        DocumentMember("subject", \.subject),
        DocumentMember("linkedAt", \.linkedAt)
    )
}

extension IdentityDocument {
    package init(_ state: IdentityState) {
        id = state.id
        issuer = state.identity.issuer
        subject = state.identity.subject
        linkedAt = state.linked.recordedAt
    }
}
