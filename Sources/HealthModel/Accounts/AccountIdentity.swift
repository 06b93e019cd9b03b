package import FoundationEssentials

/// The identity of an account's holder at an external sign-in provider (OpenID Connect).
package struct AccountIdentity: Hashable, Sendable {
    package var id: UUID
    /// The provider, exactly as in the `iss` claim of its tokens.
    package var issuer: String
    /// The holder, exactly as in the `sub` claim of those tokens: unique within the provider and never reassigned.
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
            if text.contains(where: \.isNewline) { throw ModelError(.invalid, field: field, "contains a line break") }
        }
    }
}

/// The state of a linked identity as of a position of the log.
package struct IdentityState: Hashable, Sendable {
    package var identity: AccountIdentity
    package var linked: Stamp

    package init(identity: AccountIdentity, linked: Stamp) {
        self.identity = identity
        self.linked = linked
    }

    package var id: UUID { identity.id }
}
