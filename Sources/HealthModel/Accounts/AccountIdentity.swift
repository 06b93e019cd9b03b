package import FoundationEssentials

/// Who an account's holder is to a provider that signs people in for others, as OpenID Connect has it.
package struct AccountIdentity: Hashable, Sendable {
    package var id: UUID
    /// The provider, as the `iss` of its tokens spells it.
    package var issuer: String
    /// The holder, as the `sub` of those tokens spells it: unique within the provider, and never given to another.
    package var subject: String

    package init(id: UUID, issuer: String, subject: String) {
        self.id = id
        self.issuer = issuer
        self.subject = subject
    }

    package func validate() throws(ModelError) {
        if issuer.isEmpty { throw ModelError(.invalid, field: "issuer", "is required") }
        if subject.isEmpty { throw ModelError(.invalid, field: "subject", "is required") }
        for (text, field) in [(issuer, "issuer"), (subject, "subject")] {
            try TextCheck.check(text, field: field, maximum: Limits.line)
            if text.contains(where: \.isNewline) { throw ModelError(.invalid, field: field, "holds a line break") }
        }
    }
}

/// An identity as it is known at some position of the log.
package struct IdentityState: Hashable, Sendable {
    package var identity: AccountIdentity
    package var linked: Stamp

    package init(identity: AccountIdentity, linked: Stamp) {
        self.identity = identity
        self.linked = linked
    }

    package var id: UUID { identity.id }
}
