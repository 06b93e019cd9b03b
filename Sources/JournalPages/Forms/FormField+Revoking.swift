package import HealthModel

extension FormField {
    /// Creates the choice of tokens and identities to revoke with a password change; nil where there are none.
    package init?(
        revoking tokens: [TokenState],
        _ identities: [IdentityState],
        problem: String?,
        _ reader: Reader
    ) {
        guard !tokens.isEmpty || !identities.isEmpty else { return nil }
        let words = reader.words
        self.init("revoke", words["revokeToo"], .choice, problem: problem)
        takesSeveral = true
        hint = words["hint.revokeToo"]
        options =
            tokens.map { token in
                let issued = words["tokenIssued", reader.day(of: token.issued.recordedAt)]
                return FormOption(
                    token.id.text,
                    words["revokedToken", token.scope.description, issued],
                    isChosen: false
                )
            }
            + identities.map { identity in
                FormOption(
                    identity.id.text,
                    words["revokedIdentity", identity.identity.subject, identity.identity.issuer],
                    isChosen: false
                )
            }
    }
}
